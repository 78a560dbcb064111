package palyra.itests.crash;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import palyra.itests.process.CommandClient;

/**
 * A message whose script has effects that can be counted: four lines in a file, each unique, with
 * waits before and after so that a crash can hit every place.
 *
 * @param key its dedupe key, which also begins each of its lines
 * @param session key of the session it goes to
 * @param text the message with its script
 */
record Message(String key, String session, String text) {
    static final String TOOL = "palyra.test.append";

    static Message seeded(int number, String session, Random random) {
        String key = "m" + number;
        String file = "effects-" + number % 7 + ".txt";
        Object script =
                Map.of(
                        "turns",
                        List.of(
                                List.of(
                                        Map.of("say", "begin ", "chunkMillis", 2),
                                        append(file, key + "/1", random)),
                                List.of(
                                        sometimesFails(random),
                                        call("palyra.sleep", Map.of("millis", random.nextInt(300))),
                                        append(file, key + "/2", random)),
                                List.of(
                                        call("palyra.echo", Map.of("text", key)),
                                        append(file, key + "/3", random),
                                        append(file, key + "/4", random)),
                                List.of(
                                        Map.of(
                                                "say",
                                                "the answer to " + key + " is this",
                                                "chunkMillis",
                                                random.nextInt(40)))));
        try {
            String text = "#!palyra-script\n" + CommandClient.JSON.writeValueAsString(script);
            return new Message(key, session, text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object append(String file, String line, Random random) {
        return call(
                TOOL,
                Map.of(
                        "file",
                        file,
                        "line",
                        line,
                        "millis",
                        random.nextInt(250),
                        "afterMillis",
                        random.nextInt(250)));
    }

    private static Object call(String tool, Object input) {
        return Map.of("call", Map.of("tool", tool, "input", input));
    }

    /** One message in four has a turn that is made twice. */
    private static Object sometimesFails(Random random) {
        return random.nextInt(4) > 0
                ? Map.of("think", "nothing fails here")
                : Map.of("fail", Map.of("code", "MODEL_FAILED", "retryable", true, "times", 1));
    }
}
