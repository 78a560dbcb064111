package palyra.shared.http;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import palyra.api.core.access.Credential;

/** API tokens in the {@code Authorization} header. */
public final class Bearer {
    /** Header that tells a caller without an accepted token what to send. */
    public static final Map<String, String> CHALLENGE =
            Map.of("WWW-Authenticate", "Bearer realm=\"palyra\"");

    private static final Pattern BEARER = Pattern.compile("(?i)bearer +([\\x21-\\x7e]{1,512})");

    private Bearer() {}

    /** Returns the token of a header; empty when it is of another form. */
    public static Optional<Credential.ApiToken> token(String header) {
        var matcher = BEARER.matcher(header.strip());
        return matcher.matches()
                ? Optional.of(new Credential.ApiToken(matcher.group(1)))
                : Optional.empty();
    }
}
