package palyra.access.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import palyra.access.internal.Challenges.Purpose;
import palyra.access.internal.passkey.PasskeyException;
import palyra.access.internal.passkey.PasskeyVerifier;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.NewFactor;
import palyra.api.core.access.PasskeyChallenge;
import palyra.api.core.access.SignInClient;
import palyra.api.core.access.SignInProof;
import palyra.shared.json.StrictJson;

/** Asks authenticators and verifies what they answer. The person is told one sentence. */
final class PasskeyCheck {
    private static final Logger LOG = LoggerFactory.getLogger(PasskeyCheck.class);

    private final AccountStore store;
    private final Challenges challenges;
    private final LongSupplier clock;

    PasskeyCheck(AccountStore store, Challenges challenges, LongSupplier clock) {
        this.store = store;
        this.challenges = challenges;
        this.clock = clock;
    }

    /** Returns a challenge for whichever passkey of this host the person has. */
    PasskeyChallenge challenge(SignInClient client) {
        String host = PasskeyVerifier.host(client.origin());
        return new PasskeyChallenge(
                challenges.make(Purpose.SIGN_IN, client.address()), host, "", "", List.of());
    }

    /** Returns a challenge for a person who is known. */
    PasskeyChallenge challenge(
            Purpose purpose, String bound, Account account, SignInClient client) {
        String host = PasskeyVerifier.host(client.origin());
        String userId =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(account.id().getBytes(StandardCharsets.US_ASCII));
        return new PasskeyChallenge(
                challenges.make(purpose, bound),
                host,
                userId,
                account.name(),
                account.passkeys().stream().map(Account.Passkey::id).toList());
    }

    /**
     * Returns the account of a passkey that answered, with its new counter.
     *
     * @param bound what the challenge was made for
     */
    AccountStore.Found require(
            Purpose purpose, String bound, SignInProof.Passkey proof, SignInClient client) {
        try {
            String challenge = take(proof.clientData(), purpose, bound);
            AccountStore.Found found =
                    store.owner(proof.credentialId())
                            .filter(each -> !each.account().disabled())
                            .orElseThrow(() -> refusal("the passkey belongs to no open account"));
            Account.Passkey known = found.account().passkey(proof.credentialId()).orElseThrow();
            PasskeyVerifier.Credential used =
                    PasskeyVerifier.asserted(
                            new PasskeyVerifier.Expected(challenge, client.origin()),
                            new PasskeyVerifier.Credential(
                                    known.id(),
                                    Base64.getUrlDecoder().decode(known.key()),
                                    known.counter()),
                            proof.clientData(),
                            proof.authenticatorData(),
                            proof.signature());
            requireNotCopied(known, used);
            return new AccountStore.Found(
                    found.account().with(known.used(used.counter(), clock.getAsLong())),
                    found.version());
        } catch (PasskeyException | IllegalArgumentException e) {
            throw refusal(e.getMessage());
        }
    }

    /** The signature was right, so the key itself answered: the operator is to know. */
    private static void requireNotCopied(Account.Passkey known, PasskeyVerifier.Credential used) {
        boolean counts = known.counter() != 0 || used.counter() != 0;
        if (counts && used.counter() <= known.counter()) {
            LOG.warn(
                    "The passkey '{}' counted {} after {}: it may have been copied. Remove it on the"
                            + " account page if its person did not notice anything.",
                    known.label(),
                    used.counter(),
                    known.counter());
            throw refusal("its counter did not rise");
        }
    }

    /** Returns a new passkey. */
    Account.Passkey registered(String bound, NewFactor.Passkey factor, SignInClient client) {
        try {
            String challenge = take(factor.clientData(), Purpose.NEW_PASSKEY, bound);
            PasskeyVerifier.Credential made =
                    PasskeyVerifier.registered(
                            new PasskeyVerifier.Expected(challenge, client.origin()),
                            factor.clientData(),
                            factor.attestationObject());
            return new Account.Passkey(
                    made.id(),
                    Base64.getUrlEncoder().withoutPadding().encodeToString(made.publicKey()),
                    made.counter(),
                    label(factor.label()),
                    clock.getAsLong(),
                    0);
        } catch (PasskeyException | IllegalArgumentException e) {
            throw refusal(e.getMessage());
        }
    }

    static String label(String given) {
        String label = given.replaceAll("\\p{C}", "").strip();
        String shown = label.isEmpty() ? "Passkey" : label;
        return shown.length() > 60 ? shown.substring(0, 60) : shown;
    }

    /** Uses the challenge up that client data names, right or wrong. */
    private String take(String clientData, Purpose purpose, String bound) {
        String challenge;
        try {
            JsonNode client =
                    StrictJson.parse(Base64.getUrlDecoder().decode(clientData), "client data");
            challenge = client.path("challenge").asText();
        } catch (PalyraException e) {
            throw refusal("the client data is not JSON");
        }
        if (!challenges.take(challenge, purpose, bound)) {
            throw refusal("the challenge is not open for this");
        }
        return challenge;
    }

    private static PalyraException refusal(String why) {
        LOG.debug("A passkey was refused: {}", why);
        return new PalyraException(
                ErrorCode.UNAUTHENTICATED,
                "The passkey was not accepted; press the button and try again.");
    }
}
