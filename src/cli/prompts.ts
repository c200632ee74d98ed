/**
 * Exports by name the questions that are used. If the whole package were imported at run time, nothing of it could be
 * left out of `dist/`.
 */
export { confirm, search } from '@inquirer/prompts'
