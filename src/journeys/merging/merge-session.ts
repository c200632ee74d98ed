export { mergeSessionFiles as mergeForGit, type Versions } from '../../store/record/merge-files.ts'
