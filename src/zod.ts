import * as z from 'zod/mini'
import en from 'zod/v4/locales/en.js'

/**
 * This program uses zod/mini, which has functions where zod has methods. Loading the methods took a sixth of the time
 * of a short command. zod/mini has no error messages of its own, so this file sets the English ones.
 */
export * from 'zod/mini'

z.config(en())
