/** The time zone of this machine. */
export function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
