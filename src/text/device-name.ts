/**
 * Whether Windows keeps a name of a file or folder for a device: `aux`, `con.md`. A repository with such a file cannot be
 * checked out there.
 */
export function isDeviceName(name: string): boolean {
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)
}
