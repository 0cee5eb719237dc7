import type {
  DataSource,
  EntityManager,
  EntityMetadata,
  EntitySchema,
  FindManyOptions,
  FindOneOptions,
  FindOptionsWhere,
  ObjectLiteral,
  QueryDeepPartialEntity,
  QueryRunner,
} from "typeorm";
import { poolOf, sendOn, type Answer } from "./pools.js";

export { And, Equal, In, IsNull, LessThan, MoreThan, Not, Raw } from "typeorm";
export type { EntityMetadata, FindOneOptions, FindOptionsWhere } from "typeorm";

export interface StatementOptions {
  /**
   * The organization whose rows a statement reads if it is to be planned for its values at each call: one
   * with filters, counts or sums, whose best plan depends on how much the organization has. Planning takes
   * about a millisecond, so reads of single records go without.
   */
  replan?: string | undefined;
}

export type Send = (sql: string, values?: unknown[], options?: StatementOptions) => Promise<Answer>;

type Where<E> = FindOptionsWhere<E> | FindOptionsWhere<E>[];
type Rows<E> = QueryDeepPartialEntity<E> | QueryDeepPartialEntity<E>[];
type Of<E extends ObjectLiteral> = EntitySchema<E>;

interface InsertOptions<E> {
  /** Leave out rows that are already there. */
  orIgnore?: boolean;
  /** Columns to answer with instead of those that the database fills in. */
  returning?: (keyof E & string)[];
}

/** The statements of one transaction, or of the database where none is open. */
export class Tx {
  protected readonly manager: EntityManager;
  protected readonly send: Send;

  constructor(manager: EntityManager, send: Send = sendBy(manager)) {
    this.manager = manager;
    this.send = send;
  }

  /** The connection of the transaction; only `db/` uses it. */
  get queryRunner(): QueryRunner | undefined {
    return this.manager.queryRunner;
  }

  /** All tables, as the entities describe them. */
  get tables(): EntityMetadata[] {
    return this.manager.dataSource.entityMetadatas;
  }

  /** The rows that a statement reads or returns. */
  async query<Row = unknown>(...statement: Parameters<Send>): Promise<Row[]> {
    return (await this.send(...statement)).records as Row[];
  }

  /** The first row, if any. */
  async maybe<Row>(...statement: Parameters<Send>): Promise<Row | undefined> {
    return (await this.query<Row>(...statement))[0];
  }

  /** The row of a statement that always has one. */
  async one<Row>(...statement: Parameters<Send>): Promise<Row> {
    const [row, ...more] = await this.query<Row>(...statement);
    if (row === undefined || more.length > 0) throw new Error("The statement must return one row.");
    return row;
  }

  /** How many rows a statement changes or finds. */
  async run(...statement: Parameters<Send>): Promise<number> {
    return (await this.send(...statement)).affected ?? 0;
  }

  /** What the database fills in. */
  async insert<E extends ObjectLiteral>(
    entity: Of<E>,
    rows: Rows<E>,
    { orIgnore = false, returning }: InsertOptions<E> = {},
  ): Promise<Partial<E>[]> {
    const insert = this.manager.createQueryBuilder().insert().into(entity).values(rows);
    if (returning !== undefined) insert.returning(returning);
    if (orIgnore) insert.orIgnore();
    return (await insert.execute()).raw as Partial<E>[];
  }

  async upsert<E extends ObjectLiteral>(entity: Of<E>, rows: Rows<E>, keys: (keyof E & string)[]) {
    await this.manager.upsert(entity, rows, keys);
  }

  /** How many rows it changes. */
  async update<E extends ObjectLiteral>(
    entity: Of<E>,
    where: Where<E>,
    changes: QueryDeepPartialEntity<E>,
  ): Promise<number> {
    return (await this.manager.update(entity, where, changes)).affected ?? 0;
  }

  /** How many rows it deletes. */
  async delete<E extends ObjectLiteral>(entity: Of<E>, where: Where<E>): Promise<number> {
    return (await this.manager.delete(entity, where)).affected ?? 0;
  }

  find<E extends ObjectLiteral>(entity: Of<E>, options: FindManyOptions<E>): Promise<E[]> {
    return this.manager.find(entity, options);
  }

  async findOne<E extends ObjectLiteral>(entity: Of<E>, options: FindOneOptions<E>) {
    return (await this.manager.findOne(entity, options)) ?? undefined;
  }

  findOneOrFail<E extends ObjectLiteral>(entity: Of<E>, options: FindOneOptions<E>): Promise<E> {
    return this.manager.findOneOrFail(entity, options);
  }

  exists<E extends ObjectLiteral>(entity: Of<E>, where: Where<E> = {}): Promise<boolean> {
    return this.manager.existsBy(entity, where);
  }

  count<E extends ObjectLiteral>(entity: Of<E>, where: Where<E>): Promise<number> {
    return this.manager.countBy(entity, where);
  }

  /** All or nothing. Within a transaction it is a savepoint. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.manager.transaction((manager) => work(new Tx(manager)));
  }

  /**
   * For reading much in a transaction that changes nothing: what `query` was asked before is answered
   * from memory. Whoever gets the rows must not change them.
   */
  rememberReads(): Tx {
    const answers = new Map<string, Promise<Answer>>();
    return new Tx(this.manager, (sql, values = []) => {
      const key = JSON.stringify([sql, values]);
      const answer = answers.get(key) ?? this.send(sql, values);
      answers.set(key, answer);
      return answer;
    });
  }
}

/** How statements and transactions of the database are sent, where not by its own pool. */
interface Ways {
  send?: Send;
  transact?: Tx["transaction"];
}

/** The database: each statement may use another connection. */
export class Database extends Tx {
  /** Only for `db/`, metrics and tests. */
  readonly source: DataSource;
  readonly #ways: Ways;

  constructor(source: DataSource, ways: Ways = {}) {
    super(source.manager, ways.send ?? sendToPool(source));
    this.source = source;
    this.#ways = ways;
  }

  override transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#ways.transact?.(work) ?? super.transaction(work);
  }

  /**
   * What is read as of one moment, while others go on writing; for generators, from which a callback
   * could not yield. On the embedded database, which does one transaction at a time, others wait.
   */
  async *snapshot<Item>(read: (tx: Tx) => AsyncIterable<Item>): AsyncGenerator<Item> {
    const runner = this.source.createQueryRunner();
    try {
      await runner.startTransaction("REPEATABLE READ");
      const tx = new Tx(runner.manager);
      await tx.query("SET TRANSACTION READ ONLY");
      await tx.query(noTimeLimit);
      yield* read(tx);
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      await runner.release();
    }
  }
}

/** The role may have one, where a pooler takes none from connections. */
export const noTimeLimit = "SET LOCAL statement_timeout = 0";

/** Without the detour of a query runner, which is most of the cost of a small read. */
function sendToPool(source: DataSource): Send {
  const byRunner = sendBy(source.manager);
  return async (sql, values = []) => {
    const pool = poolOf({ source });
    if (pool === undefined) return byRunner(sql, values);
    const client = await pool.connect();
    try {
      return await sendOn(client, sql, values);
    } finally {
      client.release();
    }
  };
}

function sendBy({ queryRunner, dataSource }: EntityManager): Send {
  if (queryRunner !== undefined) return (sql, values) => queryRunner.query(sql, values, true);
  return async (sql, values) => {
    const runner = dataSource.createQueryRunner();
    try {
      return await runner.query(sql, values, true);
    } finally {
      await runner.release();
    }
  };
}
