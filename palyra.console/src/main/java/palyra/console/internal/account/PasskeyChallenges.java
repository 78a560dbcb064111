package palyra.console.internal.account;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.access.PasskeyChallenge;
import palyra.api.core.access.SignInClient;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/** Challenges for the script that talks to authenticators. */
public final class PasskeyChallenges {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final AccountCalls calls;

    /** Creates it. */
    public PasskeyChallenges(AccountCalls calls) {
        this.calls = calls;
    }

    /** Adds the route. */
    public void routes(Router router) {
        router.open("POST", "/console/passkey/challenge", this::challenge);
    }

    private void challenge(Exchange exchange) throws IOException {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        try {
            put(answer, made(exchange));
        } catch (PalyraException e) {
            answer.put("problem", e.getMessage());
        } catch (IllegalArgumentException e) {
            answer.put("problem", e.getMessage());
        }
        exchange.json(JSON.writeValueAsBytes(answer));
    }

    private PasskeyChallenge made(Exchange exchange) {
        SignInClient client = calls.client(exchange);
        String use = exchange.parameter("use");
        return switch (use) {
            case "sign-in" -> calls.accounts(accounts -> accounts.challenge(client));
            case "invitation" ->
                    calls.accounts(
                            accounts ->
                                    accounts.challengeForInvited(
                                            exchange.parameter("invitation"), client));
            case "new", "prove" -> {
                if (!exchange.signedIn()) {
                    throw new PalyraException(
                            ErrorCode.UNAUTHENTICATED, "The session has ended; sign in again.");
                }
                String secret = AccountCalls.secret(exchange.request());
                yield calls.accounts(
                        accounts -> accounts.challengeFor(secret, use.equals("new"), client));
            }
            default ->
                    throw new PalyraException(
                            ErrorCode.INVALID_ARGUMENT,
                            "There is no use '" + use + "' of a passkey.");
        };
    }

    private static void put(ObjectNode answer, PasskeyChallenge challenge) {
        answer.put("challenge", challenge.challenge());
        answer.put("host", challenge.relyingParty());
        answer.put("userId", challenge.userId());
        answer.put("userName", challenge.userName());
        challenge.known().forEach(answer.putArray("known")::add);
    }
}
