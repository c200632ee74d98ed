import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'

/**
 * zod as this program uses it: its functional half, since loading the other one, with every method on every schema,
 * took a sixth of the time of a short command. It knows no language by itself.
 */
export * from 'zod/mini'

z.config(en())
