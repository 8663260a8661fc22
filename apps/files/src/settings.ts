import { ServiceSettings } from '@libs/config';

export class FilesSettings extends ServiceSettings {}
