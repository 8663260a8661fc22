import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';

/** What a route answers as `result`, for the API document: a class of fields, or `[Class]` for a list of it. */
export function Gives(
  result: Type | [Type] | 'nothing' | 'bytes',
  { status = 200, description = 'Success' }: { status?: number; description?: string } = {},
): MethodDecorator {
  if (result === 'bytes')
    return ApiResponse({
      status,
      description,
      content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
    });
  if (result === 'nothing')
    return ApiResponse({ status, description, schema: envelopeSchema({ nullable: true }) });
  const [model] = Array.isArray(result) ? result : [result];
  const one = { $ref: getSchemaPath(model) };
  const schema = envelopeSchema(Array.isArray(result) ? { type: 'array', items: one } : one);
  return applyDecorators(ApiExtraModels(model), ApiResponse({ status, description, schema }));
}

/** The envelope around a result, as a schema. */
export function envelopeSchema(result: object, status = 'success') {
  return {
    type: 'object' as const,
    required: ['result', 'status', 'message', 'version', 'commit', 'build', 'metadata'],
    properties: {
      result: result as Record<string, never>,
      status: { type: 'string' as const, enum: [status] },
      message: { type: 'string' as const },
      version: { type: 'string' as const },
      commit: { type: 'string' as const },
      build: { type: 'string' as const },
      metadata: { type: 'object' as const, nullable: true },
    },
  };
}
