export { mergeSessionFiles as mergeForGit } from '../../store/record/merge-files.ts'
