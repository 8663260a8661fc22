import { reply, type Reply } from '@libs/envelope';

/** The few shapes in which the security kernel answers (platform contract, 5.1). */
export const changes = (n: number): Reply<{ changes: number }> =>
  reply('SK_CHANGED', `${n} changed`, { changes: n });
export const names = (list: string[]): Reply<{ names: string[] }> =>
  reply('SK_FOUND', `${list.length} found`, { names: list });
export const authorized = (is: boolean): Reply<{ isAuthorized: boolean }> =>
  reply('SK_ANSWERED', is ? 'authorized' : 'not authorized', { isAuthorized: is });
export const done = (): Reply<null> => reply('SK_DONE', 'done', null);
export const made = (url: string, isNew: boolean): Reply<{ url: string }> =>
  reply(
    'SK_CREATED',
    isNew ? 'created' : 'was there already',
    { url },
    { status: isNew ? 201 : 200 },
  );
