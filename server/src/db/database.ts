import type { PoolClient } from "pg";
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
import { isEmbedded, poolOf, sendOn, type Answer } from "./pools.js";

export { And, Equal, In, IsNull, LessThan, MoreThan, Not, Raw } from "typeorm";
export type { EntityMetadata, FindOneOptions, FindOptionsWhere } from "typeorm";

export interface StatementOptions {
  /**
   * The organization whose rows the statement reads. Set it to plan the statement for its values at
   * each call. Use it for filters, counts and sums, whose best plan depends on the organization's
   * size. Planning takes about a millisecond, so reads of single records omit it.
   */
  replan?: string | undefined;
}

export type Send = (sql: string, values?: unknown[], options?: StatementOptions) => Promise<Answer>;

type Where<E> = FindOptionsWhere<E> | FindOptionsWhere<E>[];
type Rows<E> = QueryDeepPartialEntity<E> | QueryDeepPartialEntity<E>[];
type Of<E extends ObjectLiteral> = EntitySchema<E>;

interface InsertOptions<E> {
  orIgnore?: boolean;
  /** Columns to return instead of the columns that the database fills in. */
  returning?: (keyof E & string)[];
  /**
   * Another change, sent in the same statement. Reads the inserted rows as `made`, with the columns
   * in `returning`.
   */
  alongside?: string;
}

/** The statements of one transaction, or of the database outside a transaction. */
export class Tx {
  protected readonly manager: EntityManager;
  protected readonly send: Send;

  constructor(manager: EntityManager, send: Send = sendBy(manager)) {
    this.manager = manager;
    this.send = send;
  }

  /** The transaction's connection. Only for `db/`. */
  get queryRunner(): QueryRunner | undefined {
    return this.manager.queryRunner;
  }

  get tables(): EntityMetadata[] {
    return this.manager.dataSource.entityMetadatas;
  }

  async query<Row = unknown>(...statement: Parameters<Send>): Promise<Row[]> {
    return (await this.send(...statement)).records as Row[];
  }

  /** The first row, if any. */
  async maybe<Row>(...statement: Parameters<Send>): Promise<Row | undefined> {
    return (await this.query<Row>(...statement))[0];
  }

  /** Returns the only row. Throws if there is none or more than one. */
  async one<Row>(...statement: Parameters<Send>): Promise<Row> {
    const [row, ...more] = await this.query<Row>(...statement);
    if (row === undefined || more.length > 0) throw new Error("The statement must return one row.");
    return row;
  }

  /** Returns the number of rows that the statement changed or found. */
  async run(...statement: Parameters<Send>): Promise<number> {
    return (await this.send(...statement)).affected ?? 0;
  }

  /** Returns the columns that the database fills in. */
  async insert<E extends ObjectLiteral>(
    entity: Of<E>,
    rows: Rows<E>,
    { orIgnore = false, returning, alongside }: InsertOptions<E> = {},
  ): Promise<Partial<E>[]> {
    const insert = this.manager.createQueryBuilder().insert().into(entity).values(rows);
    if (returning !== undefined) insert.returning(returning);
    if (orIgnore) insert.orIgnore();
    if (alongside !== undefined) {
      const [sql, values] = insert.getQueryAndParameters();
      return this.query(
        `WITH made AS (${sql}), alongside AS (${alongside}) SELECT * FROM made`,
        values,
      );
    }
    return (await insert.execute()).raw as Partial<E>[];
  }

  async upsert<E extends ObjectLiteral>(entity: Of<E>, rows: Rows<E>, keys: (keyof E & string)[]) {
    await this.manager.upsert(entity, rows, keys);
  }

  async update<E extends ObjectLiteral>(
    entity: Of<E>,
    where: Where<E>,
    changes: QueryDeepPartialEntity<E>,
  ): Promise<number> {
    return (await this.manager.update(entity, where, changes)).affected ?? 0;
  }

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

  /** All or nothing. A nested transaction is a savepoint. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.manager.transaction((manager) => work(new Tx(manager)));
  }

  /**
   * Caches `query` results, for many reads in a transaction that changes nothing. Callers must not
   * change the rows.
   */
  memoizeQueries(): Tx {
    const answers = new Map<string, Promise<Answer>>();
    return new Tx(this.manager, (sql, values = []) => {
      const key = JSON.stringify([sql, values]);
      const answer = answers.get(key) ?? this.send(sql, values);
      answers.set(key, answer);
      return answer;
    });
  }
}

/** Alternatives to the database's own pool for sending statements and transactions. */
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
   * Reads a snapshot while other transactions continue to write. For generators, because a callback
   * can't yield. On the embedded database, which runs one transaction at a time, others wait.
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

/** Overrides the role's statement_timeout, because poolers may ignore connection settings. */
export const noTimeLimit = "SET LOCAL statement_timeout = 0";

/** Avoids the query runner, which is most of the cost of a small statement. */
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
  if (queryRunner !== undefined) {
    if (isEmbedded({ source: dataSource })) {
      return (sql, values) => queryRunner.query(sql, values, true);
    }
    return async (sql, values = []) =>
      sendOn((await queryRunner.connect()) as PoolClient, sql, values);
  }
  return async (sql, values) => {
    const runner = dataSource.createQueryRunner();
    try {
      return await runner.query(sql, values, true);
    } finally {
      await runner.release();
    }
  };
}
