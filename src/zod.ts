import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'

/**
 * This program uses only the functional half of zod. Loading the other half, which puts every method on every schema,
 * took a sixth of the time of a short command. The functional half has no error messages of its own, so this file sets
 * the English ones.
 */
export * from 'zod/mini'

z.config(en())
