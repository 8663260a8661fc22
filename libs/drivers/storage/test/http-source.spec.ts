import { createServer, type Server } from 'node:http';
import { HttpSource, isPublicAddress } from '../src';

describe('reading what lies behind a URL', () => {
  let server: Server;
  let base: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url!;
      if (path === '/hop') response.writeHead(302, { location: '/file' }).end();
      else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end();
      else if (path === '/away') response.writeHead(302, { location: 'file:///etc/passwd' }).end();
      else if (path === '/file') response.end('content');
      else response.writeHead(path === '/busy' ? 503 : 404).end();
    });
    await new Promise<void>((r) => server.listen(0, '127.0.0.1', r));
    base = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  });
  afterAll(() => server.close());
  const text = async (source: HttpSource, url: string) => {
    const { stream } = await source.read(url);
    let all = '';
    for await (const part of stream) all += String(part);
    return all;
  };

  it('follows redirects', async () => {
    const source = new HttpSource({ allowPrivateAddresses: true, allowLoopbackAddresses: false });
    expect(await text(source, `${base}/file`)).toBe('content');
    expect(await text(source, `${base}/hop`)).toBe('content');
    await expect(source.read(`${base}/loop`)).rejects.toMatchObject({ reason: 'http' });
    await expect(source.read(`${base}/away`)).rejects.toMatchObject({ reason: 'refused-address' });
    await expect(source.read(`${base}/none`)).rejects.toMatchObject({
      reason: 'http',
      passing: false,
    });
    await expect(source.read(`${base}/busy`)).rejects.toMatchObject({
      reason: 'http',
      passing: true,
    });
    await source.close();
  });

  it('reaches this machine and nothing else that is private where only that is allowed', async () => {
    const source = new HttpSource({ allowPrivateAddresses: false, allowLoopbackAddresses: true });
    const { port } = new URL(base);
    for (const host of ['127.0.0.1', 'localhost', 'web.localhost', '[::ffff:127.0.0.1]'])
      expect(await text(source, `http://${host}:${port}/file`)).toBe('content');
    for (const host of ['169.254.169.254', '10.0.0.1', '0.0.0.0', '[::ffff:169.254.169.254]'])
      await expect(source.read(`http://${host}:${port}/file`)).rejects.toMatchObject({
        reason: 'refused-address',
      });
    await source.close();
  });

  it('refuses addresses that are not public', async () => {
    const source = new HttpSource({ allowPrivateAddresses: false, allowLoopbackAddresses: false });
    const port = new URL(base).port;
    const hosts = [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '2130706433',
      '0x7f.1',
      '0',
    ];
    for (const host of hosts) {
      await expect(source.read(`http://${host}:${port}/file`)).rejects.toMatchObject({
        reason: 'refused-address',
      });
    }
    await source.close();
    for (const address of [
      '10.1.2.3',
      '172.31.0.1',
      '192.168.1.1',
      '169.254.169.254',
      'fe80::1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '100.64.0.1',
      '0.0.0.0',
      '::',
    ])
      expect(isPublicAddress(address)).toBe(false);
    for (const address of ['8.8.8.8', '2606:4700::1111', '172.32.0.1'])
      expect(isPublicAddress(address)).toBe(true);
  });
});
