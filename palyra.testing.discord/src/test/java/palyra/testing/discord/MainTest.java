package palyra.testing.discord;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** The fake as a program, as a bot in another language has it. */
class MainTest {
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private int run(InputStream in, PrintStream out, String... arguments) {
        return Main.run(arguments, in, out, new PrintStream(errors, true, StandardCharsets.UTF_8));
    }

    private int refuse(String... arguments) {
        return run(InputStream.nullInputStream(), System.err, arguments);
    }

    /** A test that talks to it: a line in, a line out. */
    private final class Talk implements AutoCloseable {
        private final PipedOutputStream in = new PipedOutputStream();
        private final PipedInputStream out = new PipedInputStream();
        private final BufferedReader lines =
                new BufferedReader(new InputStreamReader(out, StandardCharsets.UTF_8));
        private final FutureTask<Integer> ended;
        private final JsonNode where;

        Talk(String... arguments) throws Exception {
            PipedInputStream itsIn = new PipedInputStream(in);
            PrintStream itsOut =
                    new PrintStream(new PipedOutputStream(out), true, StandardCharsets.UTF_8);
            ended = new FutureTask<>(() -> run(itsIn, itsOut, arguments));
            Thread.ofPlatform().daemon().name("fake").start(ended);
            where = next();
        }

        private JsonNode next() throws Exception {
            return Json.read(lines.readLine().getBytes(StandardCharsets.UTF_8));
        }

        JsonNode say(String line) throws Exception {
            in.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
            return next();
        }

        int call(String path, String body) throws Exception {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(where.path("rest").asText() + path))
                            .header("Authorization", "Bot " + where.path("token").asText())
                            .header("User-Agent", "DiscordBot (https://example.org, 1)")
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                            .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .statusCode();
        }

        @Override
        public void close() throws Exception {
            in.close();
        }
    }

    @Test
    void aTestInAnotherLanguageDoesAndSeesWhatPeopleDo() throws Exception {
        try (Talk talk = new Talk()) {
            assertTrue(talk.where.path("gateway").asText().startsWith("ws://127.0.0.1:"));
            assertTrue(talk.say("say ada general hello bot").path("message").asLong() > 0);
            String room = "/channels/" + talk.where.path("general").asText() + "/messages";
            String row =
                    "'components':[{'type':1,'components':[{'type':2,'style':1,'label':'Go',"
                            + "'custom_id':'go'}]}]}";
            assertEquals(200, talk.call(room, "{'content':'hi'," + row));
            JsonNode posted = talk.say("posted general").path(0);
            assertEquals("hi", posted.path("content").asText());
            String id = posted.path("id").asText();
            assertTrue(talk.say("press ada " + id + " go").path("interaction").asLong() > 0);
            assertEquals(
                    201,
                    talk.call(
                            "/applications/" + talk.where.path("bot").asText() + "/commands",
                            "{'name':'ask','description':'Asks','type':1,'options':[{'type':3,"
                                    + "'name':'text','description':'What','required':true}]}"));
            assertTrue(
                    talk.say("slash ada dm ask {\"text\":\"why?\"}").path("interaction").asLong()
                            > 0);
            assertEquals(0, talk.say("posted dm:ada").size());
            assertEquals(0, talk.say("befall drop").size());
            assertEquals("[]", talk.say("violations").toString());
            talk.close();
            assertEquals(0, talk.ended.get(), "it ends with its input");
        }
    }

    @Test
    void formsEditsThreadsAndTokensAreThereTooForAnotherLanguage() throws Exception {
        try (Talk talk = new Talk()) {
            String said = talk.say("say ada general \"two\\nlines\"").path("message").asText();
            assertTrue(talk.say("edit " + said + " other words").isEmpty());
            assertTrue(talk.say("reply ada " + said + " and more").has("message"));
            assertTrue(talk.say("react ada " + said + " 👍").isEmpty());
            String thread = talk.say("thread ada general A matter").path("channel").asText();
            assertTrue(talk.say("say ada " + thread + " within").has("message"));
            assertEquals(0, talk.say("posted " + thread).size());
            assertEquals(
                    201,
                    talk.call(
                            "/applications/" + talk.where.path("bot").asText() + "/commands",
                            "{'name':'ask','description':'Asks','type':1,'options':[{'type':3,"
                                    + "'name':'text','description':'What','max_length':6}]}"));
            assertTrue(
                    talk.say("slash ada dm ask {\"text\":\"too long\"}")
                            .path("error")
                            .asText()
                            .contains("at most 6"));
            String asked =
                    talk.say("slash ada dm ask {\"text\":\"why\"}").path("interaction").asText();
            assertEquals(0, talk.say("answered " + asked).path("type").asInt());
            assertTrue(
                    talk.say("form ada " + asked + " {\"reason\":\"no\"}")
                            .path("error")
                            .asText()
                            .contains("no form"));
            assertTrue(talk.say("intents message_content").isEmpty());
            assertTrue(talk.say("delete " + said).isEmpty());
            assertTrue(talk.say("resetToken").path("token").asText().length() > 20);
            assertTrue(talk.say("befall rain").path("error").asText().contains("zombie"));
        }
    }

    @Test
    void whatCannotBeDoneIsSaidAndTheNextLineIsRead() throws Exception {
        try (Talk talk = new Talk()) {
            for (String line :
                    new String[] {
                        "dance",
                        "say ada",
                        "say ada attic hello",
                        "press ada 1 go",
                        "slash ada general none",
                        "slash ada general none {",
                        "befall rain",
                        "edit 1 x",
                        "answered 1",
                        "form ada 1 {}",
                        "close x",
                        "intents rain",
                        "posted"
                    }) {
                JsonNode answer = talk.say(line);
                assertTrue(answer.path("error").asText().length() > 10, line + ": " + answer);
            }
            assertTrue(talk.say("say ada general still there").has("message"));
        }
    }

    @Test
    void whatTheBotDidWrongIsItsExitCode() throws Exception {
        try (Talk talk = new Talk()) {
            talk.call("/nothing", "{}");
            talk.in.write("quit\n".getBytes(StandardCharsets.UTF_8));
            talk.in.flush();
            assertEquals(1, talk.ended.get());
        }
        assertTrue(errors.toString(StandardCharsets.UTF_8).contains("/nothing"), errors.toString());
    }

    @Test
    void aPortIsOneThatIsFree() throws Exception {
        for (String[] bad :
                new String[][] {{"--port"}, {"--port", "x"}, {"--port", "70000"}, {"4000"}}) {
            assertEquals(2, refuse(bad));
        }
        assertTrue(errors.toString(StandardCharsets.UTF_8).contains("--port NUMBER"));
        try (ServerSocket taken =
                new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertEquals(2, refuse("--port", port));
            assertTrue(
                    errors.toString(StandardCharsets.UTF_8).contains("port " + port + " cannot"));
        }
    }

    @Test
    void aChosenPortIsTheOneItHas() throws Exception {
        int free;
        try (ServerSocket probe =
                new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            free = probe.getLocalPort();
        }
        try (Talk talk = new Talk("--port", Integer.toString(free))) {
            assertEquals("http://127.0.0.1:" + free + "/api/v10", talk.where.path("rest").asText());
        }
    }
}
