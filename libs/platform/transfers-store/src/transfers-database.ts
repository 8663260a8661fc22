import { Transfers1763600000000 } from './migrations/1763600000000-transfers';

/** What files and transfers-worker hand to the database module: they share one database. */
export const TRANSFERS_DATABASE = { service: 'files', migrations: [Transfers1763600000000] };
