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
    String.raw`{"Pwd": "\\localhost\c$\some", "PWD": "HKLM:\SOFTWARE\x1"}`,
    'WEBHOOK_SECRET=base64_encoded_secret',
    'the setting is pwd: osc99, not pwd: osc7',
    '{"pwd": "osc99"} (pwd: osc7|osc99|osc51)',
    'See **`shell.Pwd` — `src/writer.go:350-365`**',
    '`DOCKER_MOUNT_PWD`: `1/true` to mount the folder',
    'checks: [{ pass: !!hasTokenUsage, reason: x }]',
    "register(\n  password: any(named: 'password'),\n)",
    "await useCase(password: 'mypassword', is2FAEnabled: false)",
    '| `TRANSACTION_SECRET`, `PENDING_2FA_SECRET`, `SENTRY_DSN` |',
    '| Test credentials | `T1-PAY-002` | done |',
    'taskFragmentToken=android.os.BinderProxy@e1efdac mode=1',
    "resetPassword = '$apiPrefix/auth/reset-password'",
    'SECRET1=akvs://sub/vault/missing1',
    '{"password": "op://vault/item1/field"}',
    'https://h/x?%24skiptoken=1ZHJasMwFEW2FJVrbYKUJtN4plqB2IimW3qN4',
    'my $pwd = $ftp->pwd;',
    `curl -d '{"password": "'$ADMIN_PASSWORD'"}'`,
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
    'Password = proplists:get_value(password, Options),',
    'Password = ?config(etcd_password, Config),',
    'Password = Context#context.password,',
    'jwt_secret = bp.jwt_secrets:insert({',
    "$pass = \\password::hash_password('test');",
    'return .init(username: .init(parts[0]), password: .init(parts[1]))',
    'ClientSecret:              *clientSecret,',
    "AZURE_SECRET=response['clientSecret'],",
    'KRB5_PASSWORD=str(self._get_config(KRB5_PASSWORD_ENV)),',
    'f({client_id:r=this._s.client_id,client_secret:i=this._settings.client_secret,scope:s})',
    'r.password===""?r.password=r.url.password:r.url.password=r.password',
    'if b_vault_pass_1 != b_vault_pass_2:',
    'loadCASecret(namespace, auth.TLS.CASecret, k8sClient)',
    'x = [("client_secret", encodeUtf8 clientSecret)]',
    'hash(size_t len, const u8* secret, XXH64_hash_t seed)',
    '["injectNpmPassword","injectNpm2FaToken","zipData"]',
    'e={m:"Input new password: "),E=n.limitMessage;!S;)n.limit=h,e="x"',
    '"Invalid key",\n"3e0117101eb243c1b9a50db3494ab10b",',
    'a function identified by "repeat"',
    'def test_uses_nfc_and_casefold_without_rewriting_output(self):',
    'imagePullSecret: String!',
    '(click)="showOldPwd = !showOldPwd"',
    'use `emqx_secret:wrap/1` here',
    'password := Password0',
    '@transport.password = @url.password',
    'f(password => sha512_password_hash, x)',
    '\tA_ATTR_KEY            = 0x1\n\tNL80211_BAND_2GHZ     = 0x0',
    '\tSizeofTcSfqKey         = 0x10 // c\n\tSizeofTcSfqQoptV1      = 0x12 // d',
    '"\\bpassword\\x18\\x02 \\x01(\\tR\\bpassword:\\a\\x82\\xb5\\x18\\x033.0\\"\\xb9\\x01\\n" +',
    '`protobuf:"varint,32,opt,name=socket_cookie,json=socketCookie,proto3" json:"socket_cookie"`',
    'imagePullSecrets:\n  - pullSecret1\n  - pullSecret2',
    'CAAC,CApPW,CAgQnB8T,IAAK',
    '\tBackupKey               string\n\tLogicalBackupS3Bucket   string',
    '"password": "#/components/schemas/updateLoginFlowWithPassword2"',
    '**FR1 PASS:** `@internal/postgres/migration`',
    "--file.ca-private-key='ca.ecdsa.P224.pem'",
    'Secret:    testBASE32TOTPSecret,',
    'accs[0]^readU64(secret, 11+hi_off)',
    'page=1\\u0026page_token=eyJvZmZzZXQiOiI1MCIsInYiOjJ9',
    'Authorization: Digest username="75af8a3500f771e58a52093a25e7905d6e428a511285"',
    'Set-Cookie: test5=no5; domain=z-1.compute-1.amazonaws.com; path=/',
    'SIOCGLIFTOKEN                 = -0x3f879678',
    'return p&precedenceByteMask == precedenceBytePass',
    'if password1 != password2 {',
    'post "/login/reset_password" => "login#reset_password",',
    'val usernameAndPassword = "$username:$password"',
    '"tmp": "tmp/addon-test_1.0.0_1626252207239_0.9991982422469252"',
  ])('code: %s', (text) => expectSame(text))

  it.each([
    'New-Certificate -Password $Script:ClientPfxPassword',
    '-ks-pass "pass:$PASSWORD"',
    'mysqladmin ping -u root -p$$MYSQL_ROOT_PASSWORD',
    'export USER_PWD="\\$tmpdir"',
    'case "${MVNW_PASSWORD:+has-password}" in',
    'vcenter_password: @VMWARE_PASSWORD',
    'clientSecret: AUTH_AZURE_AD_B2C_CLIENT_SECRET',
    "cy.task('getSecret', 'USER1_PASSWORD').then((password) => {",
    '--key-pass \'pass:#{ENV["KEY_PASSWORD"]}\'',
    'az x create --secret id=npmrc',
    'password: $email-password',
    "'twilio://accountSid:authToken@default?from=0'",
  ])('a variable: %s', (text) => expectSame(text))

  it.each([
    "['password' => 'required|confirmed|min:16']",
    "if self.update_password == 'always':",
    "'POSTGRES_PASSWORD': 'unused'",
    'parse-passwd: "npm:^1.0.0"',
    '@fa-var-user-secret: "\\f21b";',
    'password="{noop}password"',
    'curl -b "lvl1=whoami1; lvl2=http://127.0.0.1:8081" http://localhost',
    'Set-Cookie: session=hmac-sha256(base64(json($session)))',
  ])('words of forms, tests and settings: %s', (text) => expectSame(text))

  it.each([
    "$messages['nopassword'] = '新しいパスワードを入力してください。';",
    "$labels['password'] = 'รหัสผ่าน';",
    '"client_secret": "\\u0421\\u0435\\u043a\\u0440\\u0435\\u0442"',
  ])('a sentence: %s', (text) => expectSame(text))

  it.each([
    'Culture=neutral, PublicKeyToken=b77a5c561934e089',
    'Subject: =?ISO-8859-15?Q?test_=E4=F6=FC=DF=C4=D6=DC=DF=A4?=',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    'VERIFY_KEY = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAq4yKxb6SNePdDmQi9xFCrP6Q"',
    'tls.key: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t',
    '/etc/nginx/vhost.d/a.test_918d687a929083edd0c7224ee2293e0e7c062ab4_location',
  ])('what anybody may know: %s', (text) => expectSame(text))

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
    'https://x.local/?a=1&token=Qm82nLwXz0k4Wv9tR2yB7%3Du4z3&b=2',
    'https://x.local/?a=1&api_key=%3FdAaXGarD069XQm82nLw&b=2',
  ])('%s', (text) => {
    expect(redactText(text).text).not.toContain('Qm82nLw')
  })
})
