import { describe, expect, it } from 'vitest'
import { redactText } from '../../src/redact/index.ts'

/** Ordinary code and output, of which each line was replaced once. */
describe('ordinary code and output is left alone', () => {
  it.each([
    'openssl rsa -in k.pem -pubout -out p.pem',
    'openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048',
    'openssl genpkey -des3 -paramfile prime256v1.pem',
    'openssl rsa -in a.pem -passout file:x.txt -passin env:PW',
    'openssl s_client -psk_identity me -connect h:443 -prexit',
    'openssl enc -aes-256-cbc -pbkdf2 -in f',
    '<code>openssl pkcs12 -passout pass:sample</code>',
  ])('flags of openssl: %s', (text) => expectSame(text))

  it.each([
    'my $pwd = $ftp->pwd;',
    'my $pass = $self->{+_PASSING} or return;',
    'my $pass = $self;',
    '$pw_passwd  = $pwob->passwd ( $_[1] );',
    '$password = $request->password;',
    '$pass = $this->x->hash($u);',
    '$token = $response->json()->token1;',
    'bind($this->{binddn}, password => $this->{bindpasswd});',
    'let s:netrw_passwd = s:netrw_hup[host].passwd',
    '  MachineFunctionPass::getAnalysisUsage(AU);',
    'FSDiscriminatorPass P = FSDiscriminatorPass::Pass1) : Mach',
    'from x import Ed25519PrivateKey, Ed25519PublicKey',
    'from x import (\n    Ed25519PrivateKey,\n    Ed25519PublicKey,\n)',
    'PK11SymKey *wrappingKey, PK11SymKey *symKey, SECItem *param',
    "let g:ft_ignore_pat = '\\.\\(Z\\|gz\\|bz2\\|zip\\|tgz\\)$'",
    '{buf: &#x3C;string>[, passphrase: &#x3C;string>]}',
    'char password[] = &quot;',
  ])('code: %s', (text) => expectSame(text))

  it.each([
    '{"password": "Wachtwoord"}',
    '{"password": "Contrasenya"}',
    '{"password": "Contraseña"}',
    'password: "Kennwort"',
    '"secret": "Geheimnis"',
    '"password": "Пароль"',
    '"forgotPassword": "Forgot?", "showPassword": "Anzeigen"',
  ])('a translation: %s', (text) => expectSame(text))

  it.each([
    'host all all all "password", "scram-sha-256"',
    `STRIPE_KEY=pk${'_test_'}51H8vGXKq9aBcD3eFgHiJkLmN0123`,
    `{"stripeKey": "pk${'_live_'}51H8vGXKq9aBcD3eFgHiJkLmN0123"}`,
    'Cookie: consent_given_version=true_for_all_cookies; lang=en',
    "curl -b 'consent_given=true_for_all_categories' https://x",
  ])('what is public: %s', (text) => expectSame(text))

  function expectSame(text: string) {
    expect(redactText(text)).toEqual({ text, found: [] })
  }
})

describe('beside it, a secret is found', () => {
  it.each([
    'openssl rsa -in k -passin pass:Qm82nLw -out x',
    "openssl rsa -passout 'pass:Qm82nLw' -in k",
    'openssl enc -aes-256-cbc -k Qm82nLw -in f',
    '7z x -pQm82nLw a.7z',
    'zip -P Qm82nLw a.zip b',
    'Cookie: consent=all; sid=Qm82nLwQm82nLwQm82nLw',
    'resetPassword: "Qm82nLw!"',
  ])('%s', (text) => {
    expect(redactText(text).text).not.toContain('Qm82nLw')
  })
})
