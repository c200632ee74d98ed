/**
 * Exports only the prompts that we use. If the program imported the whole package at run time, the bundler could leave
 * nothing of it out of `dist/`.
 */
export { confirm, search } from '@inquirer/prompts'
