import type { DataSource, EntityManager } from "typeorm";

export { And, Equal, In, IsNull, LessThan, MoreThan, Not, Raw } from "typeorm";
export type { EntityMetadata, FindOneOptions, FindOptionsWhere } from "typeorm";

/** The database: each statement may use another connection. */
export type Database = DataSource;

/** The statements of one transaction, or of the database where none is open. */
export type Tx = EntityManager;
