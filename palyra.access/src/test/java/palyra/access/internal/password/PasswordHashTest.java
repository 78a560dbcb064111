package palyra.access.internal.password;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;

class PasswordHashTest {
    /** From the tests of the reference implementation. */
    private static final String REFERENCE =
            "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ"
                    + "$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";

    @Test
    void agreesWithTheReferenceImplementation() {
        PasswordHash hash = PasswordHash.parse(REFERENCE);
        assertTrue(hash.matches("password"));
        assertFalse(hash.matches("Password"));
        assertTrue(hash.outdated());
        assertEquals(REFERENCE, hash.phc());
    }

    @Test
    void hashesWithASaltOfItsOwn() {
        PasswordHash one = PasswordHash.of("correct horse battery");
        PasswordHash other = PasswordHash.of("correct horse battery");
        assertNotEquals(one.phc(), other.phc());
        assertTrue(PasswordHash.parse(one.phc()).matches("correct horse battery"));
        assertFalse(one.outdated());
        assertTrue(one.phc().startsWith("$argon2id$v=19$m=19456,t=3,p=1$"), one.phc());
        assertFalse(one.toString().contains("$"));
    }

    @Test
    void refusesWhatIsNoHashOrCostsTooMuch() {
        for (String phc :
                List.of(
                        "",
                        "plain",
                        REFERENCE.replace("argon2id", "argon2i"),
                        REFERENCE.replace("v=19", "v=16"),
                        REFERENCE.replace("m=65536", "m=999999"),
                        REFERENCE.replace("t=2", "t=99"),
                        REFERENCE.replace("t=2", "t=0"),
                        REFERENCE.replace("m=65536", "m=1"),
                        REFERENCE + "A")) {
            PalyraException refused =
                    assertThrows(PalyraException.class, () -> PasswordHash.parse(phc), phc);
            assertEquals(ErrorCode.CORRUPT, refused.code());
        }
    }

    @Test
    void nothingMatchesAnAccountThatIsNotThere() {
        Passwords passwords = new Passwords();
        assertFalse(passwords.matches(Optional.empty(), "correct horse battery"));
        assertFalse(passwords.matches(Optional.empty(), ""));
        Optional<PasswordHash> hash = Optional.of(PasswordHash.of("correct horse battery"));
        assertTrue(passwords.matches(hash, "correct horse battery"));
        assertFalse(passwords.matches(hash, "x".repeat(2_000)));
    }

    @Test
    void refusesPasswordsThatAreTooShortTooLongOrNothing() {
        for (String password :
                List.of("", "eleven char", "a".repeat(20), "ab".repeat(600), "é".repeat(513))) {
            assertThrows(PalyraException.class, () -> Passwords.requireUsable(password), password);
        }
        Passwords.requireUsable("correct horse");
        Passwords.requireUsable("日本語のパスワードは長い");
    }
}
