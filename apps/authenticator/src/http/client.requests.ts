import { Choice, Flag, Text } from '@libs/fields';

const ID = { match: /^[\w.~-]+$/, rule: 'may have letters, digits and - . _ ~ only', max: 80 };
const callback = {
  max: 200,
  description: 'Where codes and tokens are sent; compared to the letter',
};

export class NewClientRequest {
  @Text({ ...ID, optional: true, description: 'Random unless given' }) client_id?: string;
  @Text({ optional: true, min: 1, max: 80, trim: false, description: 'Random unless given' })
  client_key?: string;
  @Choice(['confidential', 'public'], { default: 'confidential' })
  client_type!: 'confidential' | 'public';
  @Text({ ...callback, default: '' }) callback_url!: string;
  @Text({ optional: true, max: 50, description: 'The client_id unless given' })
  display_name?: string;
  @Text({ max: 70, default: '' }) description!: string;
}

export class ClientChangeRequest {
  @Text({ ...callback, optional: true }) callback_url?: string;
  @Text({ optional: true, min: 1, max: 50 }) display_name?: string;
  @Text({ optional: true, max: 70 }) description?: string;
  @Flag({ optional: true, description: 'false stops the client; what it holds ends for good' })
  active?: boolean;
}

/** For the API document: a client as it is shown. */
export class ClientAnswer {
  @Text() client_id!: string;
  @Choice(['confidential', 'public']) client_type!: string;
  @Text() callback_url!: string;
  @Text() display_name!: string;
  @Text() description!: string;
  @Text() owner!: string;
  @Text() tenant_id!: string;
  @Flag() active!: boolean;
  @Text({ description: 'HTTP-date' }) create_time!: string;
  @Text({ description: 'HTTP-date' }) last_update_time!: string;
}

export class CreatedClientAnswer extends ClientAnswer {
  @Text({ optional: true, description: 'Shown this once; a public client has none' })
  client_key?: string;
}
