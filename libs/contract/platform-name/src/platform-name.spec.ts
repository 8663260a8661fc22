import { platform, PlatformNames, setPlatformName } from './index';

afterEach(() => setPlatformName('svc'));

describe('platform name', () => {
  it('is svc unless set', () => {
    const p = platform();
    expect([p.lower, p.capital, p.upper]).toEqual(['svc', 'Svc', 'SVC']);
    expect(p.header('Token')).toBe('X-Svc-Token');
    expect(p.claim('username')).toBe('svc/username');
    expect(p.field('job_def')).toBe('svc_job_def');
    expect(p.code('FOUND')).toBe('SVC_FOUND');
    expect([p.scheme, p.localScheme, p.localHost]).toEqual(['svc', 'svclocal', 'exec.svc']);
    expect(p.jobFile).toMatchObject({
      script: 'svcjob.sh',
      env: 'svcjob.env',
      manifestKey: 'svcjob_executable',
      zipApp: 'svcjob_app.sh',
    });
    expect(p.mount).toEqual({ exec: '/SvcExec', input: '/SvcInput', output: '/SvcOutput' });
    expect(p.jobVariable('JobUUID')).toBe('_svcJobUUID');
    expect(p.unset).toBe('!svc_not_set');
    expect([p.zipSave, p.profileOption]).toEqual(['--svc-zip-save', '--svc-profile']);
    expect(p.queue('jobs.work')).toBe('svc.jobs.work');
    expect(p.database('sites-tenants')).toBe('svc_sites_tenants');
  });

  it('leaves no trace of the default once another is set', () => {
    setPlatformName('hydra2');
    const p = platform();
    const words = [p, p.header('Token'), p.claim('x'), p.field('x'), p.code('X'), p.queue('x')];
    expect(JSON.stringify([...words, p.jobVariable('X'), p.database('x')])).not.toMatch(/svc/i);
    expect(p.header('Token')).toBe('X-Hydra2-Token');
    expect(p.mount.exec).toBe('/Hydra2Exec');
  });

  it.each(['', 'Svc', '1a', 'a-b', 'a b', 'a'.repeat(21), 'ä'])('refuses %j', (name) => {
    expect(() => new PlatformNames(name)).toThrow('PLATFORM_NAME');
    expect(() => setPlatformName(name)).toThrow();
    expect(platform().lower).toBe('svc');
  });
});
