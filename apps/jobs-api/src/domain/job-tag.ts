import { etagOf } from '@libs/service-kit';

interface Changing {
  uuid: string;
  lastUpdated: Date;
  status: string;
  visible: boolean;
  tags: string[];
  notes: object;
}

/** Changes whenever something changes that clients see of a job. */
export const jobTag = ({ uuid, lastUpdated, status, visible, tags, notes }: Changing): string =>
  etagOf(uuid, lastUpdated, status, visible, tags, notes);
