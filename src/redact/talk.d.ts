/** Whether a form, a message or code says the words, and not a person: `newPassword`, `auth-token`, `Wachtwoord`. */
export declare function isTalk(value: string): boolean;
