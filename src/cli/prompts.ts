/** The questions that are asked, by name: of the whole package, imported at run time, none could be left out of `dist/`. */
export { confirm, search } from '@inquirer/prompts'
