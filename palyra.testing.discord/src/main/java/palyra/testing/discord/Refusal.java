package palyra.testing.discord;

import com.fasterxml.jackson.databind.node.ObjectNode;
import palyra.testing.http.FaultyApi;

/** Discord's answer to a call that it does not do. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final transient ObjectNode body;

    private Refusal(int status, ObjectNode body) {
        super(body.toString(), null, false, false);
        this.status = status;
        this.body = body;
    }

    static Refusal of(int status, int code, String message) {
        return new Refusal(status, Json.object("message", message, "code", code));
    }

    /** One of a field that is wrong; the place is of names and indices, with dots between. */
    static Refusal form(String place, String code, String message) {
        ObjectNode error =
                Json.object("_errors", Json.array(Json.object("code", code, "message", message)));
        String[] names = place.split("\\.", -1);
        for (int at = names.length - 1; at >= 0; at--) {
            error = Json.object(names[at], error);
        }
        return new Refusal(
                400, Json.object("message", "Invalid Form Body", "code", 50035, "errors", error));
    }

    static Refusal unknown(String what, int code) {
        return of(404, code, "Unknown " + what);
    }

    static Refusal missingAccess() {
        return of(403, 50001, "Missing Access");
    }

    static Refusal missingPermissions() {
        return of(403, 50013, "Missing Permissions");
    }

    FaultyApi.Reply reply() {
        return new FaultyApi.Reply(status, Json.write(body));
    }
}
