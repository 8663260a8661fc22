import { Choice, Flag, Items, Text, Whole } from '@libs/fields';
import { TRANSFER_TYPES, type TransferType } from '@libs/transfers-store';

export class TransferElement {
  @Text({ max: 4096, trim: false }) sourceURI!: string;
  @Text({ max: 4096, trim: false }) destinationURI!: string;
  @Flag({ default: false, description: 'Its failure does not fail the transfer' })
  optional!: boolean;

  @Choice(TRANSFER_TYPES, { default: 'TRANSFER' }) transferType!: TransferType;
  @Text({ optional: true, nullable: true, max: 60 }) srcSharedCtx?: string | null;
  @Text({ optional: true, nullable: true, max: 60 }) destSharedCtx?: string | null;
}

export class NewTransferRequest {
  @Text({ optional: true, nullable: true, max: 265 }) tag?: string | null;
  @Items(TransferElement, { minItems: 1, maxItems: 1000 }) elements!: TransferElement[];
}

export class TransferListQuery {
  @Whole({ default: 1000, min: 1, max: 1000 }) limit!: number;
  @Whole({ default: 0, min: 0 }) offset!: number;
}

export class TransferQuery {
  @Flag({ default: false }) includeSummary!: boolean;
  @Text({ optional: true, min: 1, max: 60, description: 'Service jobs only' })
  impersonationId?: string;
}
