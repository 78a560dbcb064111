package palyra.itests.stories;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import palyra.itests.Dist;
import palyra.itests.Wait;
import palyra.itests.process.CommandClient;

/** What a monitor sees over HTTP. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class HealthIT {
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private House house;

    @Configuration
    public Option[] configuration() {
        return ProductOptions.product();
    }

    @Before
    public void open() throws Exception {
        house = House.ready();
        awaitStatus("/readyz", 200);
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(house.http() + path))
                        .timeout(Duration.ofSeconds(20))
                        .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private void awaitStatus(String path, int status) throws Exception {
        Wait.until(
                path + " to answer " + status,
                Duration.ofSeconds(30),
                () -> get(path).statusCode() == status,
                () -> {
                    try {
                        return get(path).body();
                    } catch (IOException | InterruptedException e) {
                        return e.toString();
                    }
                });
    }

    private Map<String, String> checks(String path) throws Exception {
        Map<String, String> checks = new TreeMap<>();
        CommandClient.JSON
                .readTree(get(path).body())
                .path("checks")
                .forEach(check -> checks.put(check.path("name").asText(), check.toString()));
        return checks;
    }

    @Test
    public void isHealthyAndReady() throws Exception {
        assertEquals(200, get("/healthz").statusCode());
        assertTrue(get("/healthz").body().contains("\"status\":\"ok\""));
        assertTrue(checks("/readyz").toString(), checks("/readyz").containsKey("journal"));
    }

    /** Which bundle is stopped, what then is not ready, and whether it still counts as alive. */
    private void notReadyWithout(String bundle, String check, int health) throws Exception {
        Bundle stopped = house.bundle(bundle);
        stopped.stop();
        try {
            awaitStatus("/readyz", 503);
            assertFalse(
                    checks("/readyz").toString(),
                    checks("/readyz").get(check).contains("\"status\":\"ok\""));
            assertEquals(health, get("/healthz").statusCode());
            if (!bundle.equals("palyra.access")) { // without it no command is authorized
                assertCommandsAgree();
            }
        } finally {
            stopped.start();
        }
        awaitStatus("/readyz", 200);
        awaitStatus("/healthz", 200);
    }

    /** One truth: status and doctor name the checks that fail for /readyz, and no others. */
    private void assertCommandsAgree() throws Exception {
        Set<String> failing = new TreeSet<>();
        checks("/readyz")
                .forEach(
                        (name, check) -> {
                            if (!check.contains("\"status\":\"ok\"")) {
                                failing.add(name);
                            }
                        });
        JsonNode status = house.client().run("status", "--json").exits(1).json();
        assertFalse(status.path("ready").asBoolean());
        Set<String> told = new TreeSet<>();
        status.path("notReady").fieldNames().forEachRemaining(told::add);
        assertEquals(failing, told);
        String doctor = house.client().run("doctor").exits(1).out();
        assertTrue(doctor, doctor.contains("gateway is not ready"));
        failing.forEach(name -> assertTrue(doctor, doctor.contains(name)));
    }

    @Test
    public void isNotReadyWithoutAModel() throws Exception {
        notReadyWithout("palyra.models", "model", 200);
    }

    @Test
    public void isNotReadyWithoutTheGateway() throws Exception {
        notReadyWithout("palyra.gateway", "gateway", 200);
    }

    @Test
    public void isNotReadyWithoutTheKeys() throws Exception {
        notReadyWithout("palyra.keys", "keys", 200);
    }

    @Test
    public void isNotReadyWithoutPolicies() throws Exception {
        notReadyWithout("palyra.policy", "policy", 200);
    }

    @Test
    public void isNotReadyWithoutTheVault() throws Exception {
        notReadyWithout("palyra.vault", "vault", 200);
    }

    @Test
    public void isNotReadyWithoutAccess() throws Exception {
        notReadyWithout("palyra.access", "access", 200);
    }

    /** Every expression of the shipped dashboard is about metrics that the gateway has. */
    @Test
    public void theDashboardAsksForMetricsThatThereAre() throws Exception {
        Wait.until(
                "the engine's metrics",
                () -> get("/metrics").body().contains("\npalyra_approvals_open "));
        String metrics = get("/metrics").body();
        JsonNode panels =
                CommandClient.JSON
                        .readTree(Dist.folder().resolve("grafana/palyra.json").toFile())
                        .path("panels");
        List<String> expressions = new ArrayList<>();
        panels.forEach(
                panel ->
                        panel.path("targets")
                                .forEach(t -> expressions.add(t.path("expr").asText())));
        assertTrue(expressions.toString(), expressions.size() > 30);
        Pattern name = Pattern.compile("palyra_[a-z_0-9]+");
        for (String expression : expressions) {
            Matcher found = name.matcher(expression);
            assertTrue(expression, found.find());
            do {
                assertTrue(
                        found.group() + " is no metric of the gateway",
                        metrics.contains("\n" + found.group() + " ")
                                || metrics.contains("\n" + found.group() + "{"));
            } while (found.find());
        }
    }

    @Test
    public void promtoolTakesTheMetricsAndTheExpressionsOfTheDashboard() throws Exception {
        assumeTrue("no promtool here", Files.isExecutable(Path.of("/usr/bin/promtool")));
        Path folder = Files.createTempDirectory("palyra-promtool");
        Path metrics = Files.writeString(folder.resolve("metrics"), get("/metrics").body());
        assertEquals("", promtool(metrics, "check", "metrics"));
        StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
        JsonNode dashboard =
                CommandClient.JSON.readTree(Dist.folder().resolve("grafana/palyra.json").toFile());
        int number = 0;
        for (JsonNode panel : dashboard.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                String expression =
                        target.path("expr")
                                .asText()
                                .replace("$instance", "a")
                                .replace("$__rate_interval", "5m");
                rules.append("  - record: dashboard:").append(number++).append('\n');
                rules.append("    expr: ")
                        .append(CommandClient.JSON.writeValueAsString(expression));
                rules.append('\n');
            }
        }
        Path file = Files.writeString(folder.resolve("rules.yml"), rules);
        String checked = promtool(metrics, "check", "rules", file.toString());
        assertTrue(checked, checked.contains("SUCCESS: " + number + " rules found"));
    }

    private static String promtool(Path input, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("/usr/bin/promtool"));
        command.addAll(List.of(words));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectInput(input.toFile())
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(said, 0, process.waitFor());
        return said;
    }

    @Test
    public void metricsCountWhatHappens() throws Exception {
        double before = metric("palyra_gateway_started_runs_total");
        house.client().run("ask", "count me").ok();
        assertTrue(metric("palyra_gateway_started_runs_total") >= before + 1);
        HttpResponse<String> metrics = get("/metrics");
        assertEquals(200, metrics.statusCode());
        assertTrue(
                metrics.headers().firstValue("Content-Type").orElse(""),
                metrics.headers().firstValue("Content-Type").orElse("").startsWith("text/plain"));
        assertTrue(metrics.body().contains("# TYPE palyra_journal_commits_total counter"));
        assertTrue(metrics.body().contains("\npalyra_loop_up{loop=\"palyra-engine\"} 1\n"));
        assertTrue(metrics.body(), metrics.body().contains("\npalyra_metrics_dropped 0\n"));
    }

    private double metric(String name) throws Exception {
        return get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    public void answersNothingElse() throws Exception {
        assertEquals(404, get("/").statusCode());
        HttpRequest post =
                HttpRequest.newBuilder(URI.create(house.http() + "/readyz"))
                        .POST(HttpRequest.BodyPublishers.ofString("x"))
                        .build();
        assertEquals(405, http.send(post, BodyHandlers.ofString()).statusCode());
    }
}
