/** Whether the words are those of a form, a message or code: `newPassword`, `auth-token`, `Wachtwoord`. */
export function isFormWord(value: string): boolean {
  if (LONG_NAME.test(value) || ANSWER.test(value) || IN_OTHER_LANGUAGES.test(value)) return true
  const words = value.replace(/([a-z])([A-Z])/g, '$1 $2').split(/[^A-Za-z]+/)
  return words.some((word) => SHORT_NAME.test(word))
}

/** Parts that hardly any other word contains. */
const LONG_NAME = /passw(?:or)?d|passphrase|passcode|secret(?!ar)|token|credential|apikey|oauth/i

/** Other words contain these (`turkey`), so they count only as a whole word or joined with another listed word. */
const SHORT_NAME =
  /^(?:(?:access|admin|app|auth|client|crypto|db|host|master|my|pass|private|public|root|session|sign|ssh|the|user)?(?:pass|pw|pwd|keys?|auth|creds?)|key(?:ring|chain|store|file|name|path|vault|pair|id|type|value|word)s?|pass(?:through|port|keys?|file|less|ed|ing|es)|auth(?:n|z|ed|code|orized?|ori[sz]ation|or|enticat(?:e|ed|ion|or)))$/i

/** The words for passwords, secrets and keys in other languages, as translated forms use them. */
const IN_OTHER_LANGUAGES =
  /^(?:passwort|kennwort|wachtwoord|contrase(?:ñ|n|ny)a|contrasinal|pasahitza|senha|palavra-passe|mot-de-passe|parola|adgangskode|adgangsord|kodeord|passord|lösenord|losenord|salasana|parool|parole|slaptažodis|heslo|hasło|haslo|jelszó|jelszo|lozinka|geslo|zaporka|şifre|sifre|пароль|парола|лозинка|geheim|geheimnis|geheimwort|secreto|segreto|segredo|clave|clef|schlüssel|sleutel|chiave|chave|llave|hemmelighe[dt]|hemmelegheit|hemlighet|salaisuus|rahasia|sekret|skrivnost|tajné|cyfrinair|pasvorto|katalaluan|contrasigno|wachtwurd|pasfhocal|passwuert|ger-tremen)$/iu

/** Words of a form or a message in the place of a value. */
const ANSWER =
  /^(?:required|optional|string|number|boolean|object|invalid|incorrect|wrong|missing|forgot|forgotten|reset|hidden|default|enabled|disabled|bearer|basic|input|field|unknown|random|prompt|stdin|empty|plain|plaintext|encrypted|hashed|hmac|bcrypt|current|expired|strong|update|change|confirm|external|generic|opaque|always|never|unused|confirmed|encoded)$/i
