/**
 * This program uses only the functional half of zod. Loading the other half, which puts every method on every schema,
 * took a sixth of the time of a short command. This half has no error messages in any language by itself.
 */
export * from 'zod/mini';
