import { dtnInputMoves, inputElements } from '../domain/transfer-elements';
import type { Step } from './step';
import { DTN_INPUT, INPUT, transferred } from './transfer';

/** Has the inputs copied to the host. */
export const stagingInputs: Step = async (job, tools) => {
  const elements = inputElements(job);
  if (elements.length) {
    const open = await transferred(job, tools, INPUT, () => elements);
    if (open) return open;
    const moving = await transferred(job, tools, DTN_INPUT, () => dtnInputMoves(job));
    if (moving) return moving;
  }
  return { to: 'STAGING_JOB' };
};
