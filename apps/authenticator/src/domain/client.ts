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

export type ClientChange = Partial<Pick<Client, 'callback_url' | 'display_name' | 'description'>>;
