export { isStorable } from './check-json';
export * from './decorators';
export * from './derive';
export { fieldMap, fieldsOf } from './field';
export type { Class, Field, FieldType, Rule } from './field';
export { kindOfViolation, type ViolationKind } from './kind-of-violation';
export type { FieldOptions, ItemsRules, NumberRules, TextRules } from './options';
export * from './parse';
export * from './parse-query';
