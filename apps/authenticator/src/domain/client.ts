/** An OAuth client as those who may see it see it; its key is nowhere in here. */
export interface Client {
  client_id: string;
  client_type: 'confidential' | 'public';
  callback_url: string;
  display_name: string;
  description: string;
  owner: string;
  tenant_id: string;
  active: boolean;
  /** HTTP-date */
  create_time: string;
  last_update_time: string;
}

/** What its owner may say of a new client. */
export interface NewClient {
  client_id?: string;
  client_key?: string;
  client_type: 'confidential' | 'public';
  callback_url: string;
  display_name?: string;
  description: string;
}

/** `active: false` stops a client until it is switched on again; what it holds ends for good. */
export type ClientChange = Partial<
  Pick<Client, 'callback_url' | 'display_name' | 'description' | 'active'>
>;

const WEBAPP = '.CIC.tokenapp';

/** The id of the tenant's client that the token web application logs in with; nobody else may have one like it. */
export const webappId = (tenant: string): string => `${tenant}${WEBAPP}`;
export const isReserved = (clientId: string): boolean => clientId.endsWith(WEBAPP);
