package palyra.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import palyra.bench.Setting;
import palyra.bench.Suite;
import palyra.bench.grpc.Product;
import palyra.bench.models.BareStream;
import palyra.bench.models.ReceivedTokens;
import palyra.bench.models.TokenServer;
import palyra.bench.report.Figure;
import palyra.bench.report.Goal;
import palyra.bench.report.Latencies;
import palyra.bench.report.Measure;
import palyra.bench.report.Report;

/**
 * A streamed chat completion of the OpenAI-compatible server beside the bare stream of the model
 * that answers it: until the first token, until the end, and what each token takes.
 */
public final class OpenAiSuite implements Suite {
    private static final int TOKENS = 300;
    private static final long THINK_MILLIS = 50;
    private static final long PACE_MILLIS = 4;
    private static final String PEER = "a socket at the model server";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<Double> ourFirst = new ArrayList<>();
    private final List<Double> theirFirst = new ArrayList<>();
    private final List<Double> ourTotal = new ArrayList<>();
    private final List<Double> theirTotal = new ArrayList<>();
    private final List<Latencies> ours = new ArrayList<>();
    private final List<Latencies> theirs = new ArrayList<>();

    @Override
    public String name() {
        return "openai";
    }

    @Override
    public void run(Setting setting, Report report) throws Exception {
        try (TokenServer model = new TokenServer(TOKENS, THINK_MILLIS, PACE_MILLIS);
                Product product =
                        Product.start(
                                setting.dist(),
                                setting.folder("openai"),
                                model.asDefaultProvider())) {
            String token =
                    product.command(
                                    "access",
                                    "token-create",
                                    "client",
                                    "--principal",
                                    "service:client",
                                    "--group",
                                    "integrator")
                            .path("secret")
                            .asText();
            int port = URI.create(product.endpoint("http")).getPort();
            for (int run = -1; run < setting.runs(); run++) {
                ReceivedTokens bare = BareStream.read(model, TOKENS);
                keep(run, bare, model, theirs, theirFirst, theirTotal);
                ReceivedTokens through = through(port, token, "Speak " + run + ".");
                keep(run, through, model, ours, ourFirst, ourTotal);
            }
        }
        Setting.delete(setting.work().resolve("openai"));
        report.add(figure("openai.first-token", ourFirst, theirFirst));
        report.add(figure("openai.total", ourTotal, theirTotal));
        for (int percent : new int[] {50, 99}) {
            report.add(
                    figure(
                            "openai.token-p" + percent,
                            ours.stream().map(run -> run.millis(percent)).toList(),
                            theirs.stream().map(run -> run.millis(percent)).toList()));
        }
    }

    private static Figure figure(String name, List<Double> ours, List<Double> theirs) {
        return new Figure(
                name, new Measure("ms", ours), PEER, new Measure("ms", theirs), new Goal.None());
    }

    /** The run before 0 warms up. */
    private static void keep(
            int run,
            ReceivedTokens heard,
            TokenServer model,
            List<Latencies> tokens,
            List<Double> first,
            List<Double> total) {
        if (run >= 0) {
            tokens.add(heard.since(model));
            first.add(heard.firstMillis());
            total.add(heard.totalMillis());
        }
    }

    private static ReceivedTokens through(int port, String token, String text)
            throws IOException, InterruptedException {
        byte[] body =
                JSON.createObjectNode()
                        .put("model", "default")
                        .put("stream", true)
                        .set(
                                "messages",
                                JSON.createArrayNode()
                                        .add(
                                                JSON.createObjectNode()
                                                        .put("role", "user")
                                                        .put("content", text)))
                        .toString()
                        .getBytes(StandardCharsets.UTF_8);
        ReceivedTokens heard = new ReceivedTokens(TOKENS);
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setTcpNoDelay(true);
            socket.getOutputStream()
                    .write(
                            ("POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                                            + "Content-Type: application/json\r\nContent-Length: "
                                            + body.length
                                            + "\r\nAuthorization: Bearer "
                                            + token
                                            + "\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(body);
            read(socket, heard);
        }
        heard.await("a client");
        return heard;
    }

    private static void read(Socket socket, ReceivedTokens heard) throws IOException {
        BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        String status = lines.readLine();
        long chars = 0;
        String line = status;
        while (line != null && !line.equals("data: [DONE]")) {
            if (line.startsWith("data: {")) {
                JsonNode delta =
                        JSON.readTree(line.substring(6)).path("choices").path(0).path("delta");
                chars += delta.path("content").asText("").length();
                heard.upTo((int) (chars / TokenServer.TOKEN_CHARS));
            }
            line = lines.readLine();
        }
        heard.failed("the stream ended: " + status);
    }
}
