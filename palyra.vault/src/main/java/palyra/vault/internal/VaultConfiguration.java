package palyra.vault.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** What an operator can set. */
@ObjectClassDefinition(name = "Palyra vault", description = "Keeps secrets, encrypted.")
public @interface VaultConfiguration {
    /** Source of the master key. */
    @AttributeDefinition(
            name = "Key source",
            description = "Where the master key comes from; it is never stored beside the secrets.",
            options = {
                @Option(label = "a file of the gateway's user", value = "file"),
                @Option(label = "a passphrase", value = "passphrase"),
                @Option(label = "a credential of systemd", value = "systemd-credential"),
                @Option(label = "the key chain of the system", value = "keychain")
            })
    String keySource() default "file";

    /** The source before. */
    @AttributeDefinition(
            name = "Previous key source",
            description =
                    "To change the key source of a vault: the one that it was closed with. Its key"
                            + " opens the vault once more, which is then closed with the key"
                            + " source above. Take it away afterwards.",
            required = false)
    String previousKeySource() default "";

    /** The key file. */
    @AttributeDefinition(
            name = "Key file",
            description =
                    "For the source file: the file, relative to the state folder; empty for"
                            + " keys/vault-master.key. It is made at the first start.",
            required = false)
    String keyFile() default "";

    /** Where a passphrase comes from. */
    @AttributeDefinition(
            name = "Passphrase from",
            description =
                    "For the source passphrase: file:PATH, fd:NUMBER, credential:NAME or"
                            + " env-file:VARIABLE (a variable that names a file). Never the"
                            + " passphrase itself.",
            required = false)
    String passphraseFrom() default "";

    /** Name of a credential. */
    @AttributeDefinition(
            name = "Credential",
            description =
                    "For the source systemd-credential: name of the credential, of at least 32"
                            + " random bytes.")
    String credential() default "palyra-vault-key";

    /** Program of the key chain. */
    @AttributeDefinition(
            name = "Key chain program",
            description =
                    "For the source keychain: the program, empty for /usr/bin/secret-tool (or"
                            + " /usr/bin/security on macOS).",
            required = false)
    String keychainProgram() default "";

    /** Entry of the key chain. */
    @AttributeDefinition(
            name = "Key chain service",
            description = "For the source keychain: the name under which the key is filed.")
    String keychainService() default "palyra-vault";

    /** Time for the key chain. */
    @AttributeDefinition(
            name = "Key chain timeout",
            description =
                    "For the source keychain: how long the program may take, in milliseconds.",
            min = "100",
            max = "120000")
    int keychainTimeoutMillis() default 10_000;

    /** Whether the boot keys are sealed. */
    @AttributeDefinition(
            name = "Seal the boot keys",
            description =
                    "Whether the file of the boot keys is encrypted under a key of this vault's key"
                            + " ring, so that the one master key guards both. The gateway then"
                            + " signs and runs only when the vault is open.")
    boolean sealBootKeys() default false;

    /** State to accept. */
    @AttributeDefinition(
            name = "Accept state",
            description =
                    "After a restore from a backup: the state that the refusal names, to go on from"
                            + " the present state although the journal knows a newer one.",
            required = false)
    String acceptState() default "";
}
