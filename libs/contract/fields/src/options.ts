/** What every decorator takes. */
export interface FieldOptions {
  /** May be left out. A field with a default may be left out too and is never missing. */
  optional?: boolean;
  /** An explicit null is kept as null instead of meaning "left out". */
  nullable?: boolean;
  default?: unknown;
  search?: boolean;
  /** Same as `search` unless given. */
  sort?: boolean;
  summary?: boolean;
  description?: string;
  example?: unknown;
}

export interface TextRules {
  /** Shortest length after trimming; 1 for a required field, 0 for another, unless given. */
  min?: number;
  max?: number;
  match?: RegExp;
  /** Says in words what `match` wants: "must begin with a letter". */
  rule?: string;
  /** Line breaks and tabs may occur; other control characters never. */
  multiline?: boolean;
  /** Blanks around the text are cut off unless this is false. */
  trim?: boolean;
}

export interface NumberRules {
  min?: number;
  max?: number;
}

export interface ItemsRules extends TextRules {
  minItems?: number;
  maxItems?: number;
  /** No two equal elements; for elements of a class, the name of the attribute that must differ. */
  unique?: boolean | string;
}
