/**
 * Exports only the prompts that we use. If the code imported the package itself dynamically, the bundler would put all
 * of the package into `dist/`.
 */
export { confirm, password, search } from '@inquirer/prompts'
