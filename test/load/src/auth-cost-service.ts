// A service with one indexed query behind two routes: one that checks the token, one that does not.
import { Controller, Get, Injectable, Module, type OnModuleInit, Param } from '@nestjs/common';
import { Public } from '@libs/auth';
import { ServiceSettings } from '@libs/config';
import { Database, DatabaseModule } from '@libs/database';
import { reply } from '@libs/envelope';
import { defineService, runService } from '@libs/service-kit';

@Injectable()
class Things implements OnModuleInit {
  constructor(private readonly database: Database) {}

  async onModuleInit(): Promise<void> {
    await this.database.query(
      'CREATE TABLE IF NOT EXISTS thing (tenant text, id text, record jsonb, PRIMARY KEY (tenant, id))',
    );
    await this.database.query(
      `INSERT INTO thing SELECT 'dev', i::text, '{"name": "one of many", "size": 42}' FROM generate_series(1, 1000) i
       ON CONFLICT DO NOTHING`,
    );
  }

  async get(id: string) {
    const sql = 'SELECT record FROM thing WHERE tenant = $1 AND id = $2';
    const [row] = await this.database.prepared(sql, ['dev', id]);
    return reply('BENCH_FOUND', id, row);
  }
}

@Controller('v3/bench')
class BenchController {
  constructor(private readonly things: Things) {}

  @Get('checked/:id')
  checked(@Param('id') id: string) {
    return this.things.get(id);
  }

  @Public()
  @Get('open/:id')
  open(@Param('id') id: string) {
    return this.things.get(id);
  }

  @Get('checked-bare')
  checkedBare() {
    return reply('BENCH_FOUND', 'bare', null);
  }

  @Public()
  @Get('open-bare')
  openBare() {
    return reply('BENCH_FOUND', 'bare', null);
  }
}

@Module({
  imports: [DatabaseModule.for({ service: 'bench' })],
  controllers: [BenchController],
  providers: [Things],
})
class BenchModule {}

void runService(
  defineService({
    name: 'bench',
    identity: 'systems',
    prefixes: ['/v3/bench'],
    settings: ServiceSettings,
    module: BenchModule,
    needs: ['postgres'],
  }),
);

// The bench asks how much processor time was used so far.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
