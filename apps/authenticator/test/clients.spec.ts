import { basic, CALLBACK, OAuthService } from './oauth-service';

let oauth: OAuthService;
beforeAll(async () => {
  oauth = await OAuthService.start();
});
afterAll(() => oauth.stop());

const send = async (method: string, path: string, body?: unknown, user = 'testuser1') =>
  oauth.send(method, `/clients${path}`, body, await oauth.by(user));

describe('a new client', () => {
  it('is answered once with its key, and later without', async () => {
    const wanted = {
      client_id: 'portal-1',
      client_key: 'a key of mine',
      callback_url: CALLBACK,
      display_name: 'Portal',
      description: 'The portal of the institute',
    };
    const { status, body, headers } = await send('POST', '', wanted);
    expect(status).toBe(201);
    expect(body.result).toEqual({
      ...wanted,
      client_type: 'confidential',
      owner: 'testuser1',
      tenant_id: 'dev',
      active: true,
      create_time: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/),
      last_update_time: expect.stringMatching(/GMT$/),
    });
    expect(headers['cache-control']).toBe('no-store');
    const read = await send('GET', '/portal-1');
    expect(read.status).toBe(200);
    const { client_key: _, ...shown } = body.result;
    expect(read.body.result).toEqual(shown);
    expect((await send('GET', '')).text).not.toContain('a key of mine');
  });

  it('has a random id and a random key of 40 characters, and its id for a name', async () => {
    const [one, two] = [await oauth.client(), await oauth.client()];
    expect([one!.client_id, one!.client_key].map((t) => t.length)).toEqual([40, 40]);
    expect(one!.client_id).not.toBe(two!.client_id);
    expect((await send('GET', `/${one!.client_id}`)).body.result).toMatchObject({
      display_name: one!.client_id,
      description: '',
    });
    const { body } = await send('POST', '', {});
    expect(body.result).toMatchObject({ callback_url: '', active: true });
  });

  it('is public without a key', async () => {
    const { status, body } = await send('POST', '', { client_type: 'public' });
    expect([status, body.result.client_type]).toEqual([201, 'public']);
    expect(body.result).not.toHaveProperty('client_key');
    const keyed = await send('POST', '', { client_type: 'public', client_key: 'x' });
    expect([keyed.status, keyed.body.message]).toEqual([
      400,
      expect.stringContaining('client_key'),
    ]);
  });

  it('keeps the rules, all of which are named at once', async () => {
    const wrong = {
      client_id: 'with blank',
      client_key: 'k'.repeat(81),
      callback_url: `https://x/${'y'.repeat(200)}`,
      display_name: 'd'.repeat(51),
      description: 'd'.repeat(71),
      client_type: 'secret',
      owner: 'somebody',
    };
    const { status, body } = await send('POST', '', wrong);
    expect(status).toBe(400);
    for (const name of Object.keys(wrong)) expect(body.message).toContain(name);
  });

  it.each([
    'not a url',
    '/relative',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://a.example/#fragment',
    'https://user:pass@a.example/',
    'myapp:/cb',
  ])('has no callback_url like %s', async (callback_url) => {
    const { status, body } = await send('POST', '', { callback_url });
    expect([status, body.message]).toEqual([400, expect.stringContaining('callback_url')]);
  });

  it.each(['http://127.0.0.1:8080/cb', 'https://a.example/cb?x=1', 'org.example.app:/cb'])(
    'may have the callback_url %s',
    async (callback_url) => {
      expect((await send('POST', '', { callback_url })).status).toBe(201);
    },
  );

  it('takes no id that is taken, whoever has it, nor one of the platform', async () => {
    await oauth.client({ client_id: 'taken' });
    expect((await send('POST', '', { client_id: 'taken' })).status).toBe(409);
    expect((await send('POST', '', { client_id: 'taken' }, 'testuser2')).status).toBe(409);
    const reserved = await send('POST', '', { client_id: 'dev.CIC.tokenapp' });
    expect([reserved.status, reserved.body.message]).toEqual([
      400,
      expect.stringContaining('client_id'),
    ]);
  });

  it('is kept with a hash of its key', async () => {
    const { client_key } = await oauth.client();
    const rows = JSON.stringify(await oauth.database.query('SELECT * FROM oauth_client'));
    expect(rows).not.toContain(client_key);
    expect(rows).toContain('argon2id');
  });
});

describe('whoever asks', () => {
  it('may show user name and password instead of a token', async () => {
    const made = await oauth.send('POST', '/clients', {}, basic('testuser1', 'testuser1'));
    expect([made.status, made.body.result.owner]).toEqual([201, 'testuser1']);
    const wrong = await oauth.send('GET', '/clients', undefined, basic('testuser1', 'wrong'));
    expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([401, 'Basic realm="dev"']);
    const unknown = await oauth.send('GET', '/clients', undefined, basic('nobody', 'wrong'));
    expect([unknown.status, unknown.body.message]).toEqual([401, wrong.body.message]);
  });

  it('is nobody without either', async () => {
    expect((await oauth.send('GET', '/clients')).status).toBe(401);
    expect(
      (await oauth.send('GET', '/clients', undefined, { 'X-Svc-Token': 'nonsense' })).status,
    ).toBe(401);
  });

  it('is a person, not a service', async () => {
    const headers = oauth.double.asService('systems', 'testuser1', 'dev');
    expect((await oauth.send('GET', '/clients', undefined, headers)).status).toBe(403);
  });

  it('sees the own clients', async () => {
    const { client_id } = await oauth.client();
    const mine = (await send('GET', '')).body.result.map((c: { client_id: string }) => c.client_id);
    expect(mine).toContain(client_id);
    expect((await send('GET', '', undefined, 'testuser2')).body.result).toEqual([]);
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
      expect((await send(method, `/${client_id}`, body, 'testuser2')).status).toBe(403);
    for (const [method, body] of [['GET'], ['PUT', {}], ['DELETE']] as const)
      expect((await send(method, '/no-such-client', body)).status).toBe(404);
  });
});

describe('a change', () => {
  it('is of callback_url, display_name and description', async () => {
    const { client_id } = await oauth.client();
    const change = { callback_url: 'https://new.example/', display_name: 'New', description: 'x' };
    const { status, body } = await send('PUT', `/${client_id}`, change);
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ client_id, ...change });
    await send('PUT', `/${client_id}`, { description: '' });
    expect((await send('GET', `/${client_id}`)).body.result).toMatchObject({
      ...change,
      description: '',
    });
  });

  it('is never of the id, the key or the type', async () => {
    const { client_id } = await oauth.client();
    for (const name of ['client_id', 'client_key', 'client_type', 'owner']) {
      const { status, body } = await send('PUT', `/${client_id}`, { [name]: 'x' });
      expect([status, body.message]).toEqual([400, expect.stringContaining(name)]);
    }
    const bad = await send('PUT', `/${client_id}`, { callback_url: 'javascript:x' });
    expect(bad.status).toBe(400);
  });
});

describe('a client that stops', () => {
  /** A client with a code that waits and a refresh token. */
  const busy = async () => {
    const client = await oauth.client();
    const by = { client_id: client.client_id, client_key: client.client_key };
    const login = await oauth.send('POST', '/tokens', {
      ...by,
      grant_type: 'password',
      username: 'testuser1',
      password: 'testuser1',
    });
    const code = await oauth.code({ client_id: client.client_id });
    const { access_token, refresh_token } = login.body.result;
    const uses = () =>
      Promise.all([
        oauth.send('POST', '/tokens', {
          ...by,
          grant_type: 'authorization_code',
          code,
          redirect_uri: CALLBACK,
        }),
        oauth.send('POST', '/tokens', {
          ...by,
          grant_type: 'refresh_token',
          refresh_token: refresh_token.refresh_token,
        }),
        oauth.send(
          'POST',
          '/tokens',
          { grant_type: 'password', username: 'testuser1', password: 'testuser1' },
          basic(client.client_id, client.client_key),
        ),
        oauth.send('POST', '/device/code', by),
      ]);
    return {
      client,
      uses,
      access: access_token.access_token as string,
      refresh: refresh_token.refresh_token as string,
    };
  };

  it('by deletion can do nothing from then on, and its id is never given again', async () => {
    const { client, uses, access, refresh } = await busy();
    expect(await oauth.isGood(access)).toBe(true);
    const gone = await send('DELETE', `/${client.client_id}`);
    expect([gone.status, gone.body.status, gone.body.result]).toEqual([200, 'success', null]);
    expect((await uses()).map((a) => a.status)).toEqual([401, 401, 401, 401]);
    expect(await oauth.isGood(access)).toBe(false);
    // nor does the refresh token work where no client is asked for
    const direct = { method: 'PUT', body: { refresh_token: refresh } };
    const { call } = await import('@libs/kit');
    expect((await call(`${oauth.double.url}/v3/tokens`, direct)).status).toBe(400);
    await expect(oauth.code({ client_id: client.client_id })).rejects.toThrow(client.client_id);
    expect((await send('POST', '', { client_id: client.client_id })).status).toBe(409);
    expect((await send('PUT', `/${client.client_id}`, { active: true })).status).toBe(409);
    expect((await send('DELETE', `/${client.client_id}`)).status).toBe(200);
  });

  it('is listed only when asked for', async () => {
    const { client_id } = await oauth.client();
    await send('DELETE', `/${client_id}`);
    const listed = async (query: string) =>
      (await send('GET', query)).body.result.filter(
        (c: { client_id: string }) => c.client_id === client_id,
      );
    expect(await listed('')).toEqual([]);
    expect(await listed('?show_inactive=true')).toMatchObject([{ client_id, active: false }]);
  });

  it('for a while can be switched on again, without what it had', async () => {
    const { client, uses, access } = await busy();
    const off = await send('PUT', `/${client.client_id}`, { active: false });
    expect([off.status, off.body.result.active]).toEqual([200, false]);
    expect((await uses()).map((a) => a.status)).toEqual([401, 401, 401, 401]);
    await send('PUT', `/${client.client_id}`, { active: true });
    const [, refreshed, password] = await uses();
    expect([refreshed!.status, password!.status]).toEqual([400, 200]);
    expect(await oauth.isGood(access)).toBe(false);
  });
});
