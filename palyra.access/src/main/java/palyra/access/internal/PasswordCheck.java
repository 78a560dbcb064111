package palyra.access.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import palyra.access.internal.password.PasswordHash;
import palyra.access.internal.password.Passwords;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.SignInClient;
import palyra.api.core.access.SignInProof;
import palyra.api.core.journal.Operation;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.Keys;
import palyra.shared.gate.Gate;
import palyra.shared.hash.Digests;

/**
 * Compares passwords. An account that does not exist, is disabled or has no password costs the same
 * work and gets the same answer as a wrong password.
 */
final class PasswordCheck {
    private static final int DEVICE_BYTES = 16;

    private final AccountStore store;
    private final SignInThrottle throttle;
    private final Gate<Keys> keys;
    private final Passwords passwords = new Passwords();
    private final SecureRandom random = new SecureRandom();

    PasswordCheck(AccountStore store, SignInThrottle throttle, Gate<Keys> keys) {
        this.store = store;
        this.throttle = throttle;
        this.keys = keys;
    }

    /**
     * An account whose person showed its password.
     *
     * @param found the account, with the password hashed again when that was due
     * @param changed whether that is to be stored
     * @param clear takes the count of attempts back
     */
    record Passed(AccountStore.Found found, boolean changed, Operation clear) {}

    /** Returns the account of a right password; UNAUTHENTICATED otherwise. */
    Passed require(SignInProof.Password proof, SignInClient client) {
        String name = proof.account().strip().toLowerCase(Locale.ROOT);
        String known = Account.isName(name) ? name : "";
        throttle.chargeAddress(client.address());
        String counter = throttle.counter(known, device(known, client.device()));
        throttle.charge(counter);
        Optional<AccountStore.Found> found = store.find(known);
        Optional<PasswordHash> hash =
                found.map(each -> each.account().password())
                        .filter(phc -> !phc.isEmpty())
                        .map(PasswordHash::parse);
        boolean right = passwords.matches(hash, proof.password());
        right &= found.isPresent() && !found.get().account().disabled();
        if (!right) {
            throw new PalyraException(
                    ErrorCode.UNAUTHENTICATED, "The name or the password is not right.");
        }
        throttle.clearAddress(client.address());
        boolean outdated = hash.get().outdated();
        AccountStore.Found kept =
                outdated ? hashedAgain(found.get(), proof.password()) : found.get();
        return new Passed(kept, outdated, SignInThrottle.clear(counter));
    }

    private AccountStore.Found hashedAgain(AccountStore.Found found, String password) {
        return new AccountStore.Found(
                found.account().withPassword(passwords.hash(password).phc()), found.version());
    }

    /** Returns the hash of a new password. */
    String hash(String password) {
        Passwords.requireUsable(password);
        return passwords.hash(password).phc();
    }

    /** Returns what a browser keeps after a sign-in. */
    String newDevice(String account) {
        byte[] bytes = new byte[DEVICE_BYTES];
        random.nextBytes(bytes);
        String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        return id + "." + deviceMac(account, id);
    }

    /** Returns the id of a browser that signed in to this account before; empty for any other. */
    private String device(String account, String shown) {
        int end = shown.indexOf('.');
        if (end <= 0 || shown.length() > 128) {
            return "";
        }
        String id = shown.substring(0, end);
        byte[] expected = deviceMac(account, id).getBytes(StandardCharsets.UTF_8);
        byte[] given = shown.substring(end + 1).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, given) ? id : "";
    }

    private String deviceMac(String account, String id) {
        byte[] statement = Digests.tagged("palyra.console-device.v1").lp(account).lp(id).bytes();
        byte[] mac = keys.call(present -> present.mac(KeyPurpose.TOKEN_DIGEST, statement));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(mac);
    }
}
