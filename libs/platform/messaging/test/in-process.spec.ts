import { InProcessBus, InProcessHub } from '../src';
import { busSuite } from './bus-suite';

busSuite('in-process', async () => {
  const hub = new InProcessHub({ attempts: 4, backoffMs: () => 100 });
  return {
    connect: async () => new InProcessBus(hub),
    deadLetters: async (work) => hub.deadLetters(work),
  };
});
