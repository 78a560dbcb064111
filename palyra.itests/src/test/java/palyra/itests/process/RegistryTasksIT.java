package palyra.itests.process;

import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import palyra.itests.Wait;

/**
 * Package managers of agents with the profile coding fetch from registries that an operator allows:
 * nothing is asked, no call names a host, and the programs find the egress proxy by themselves. The
 * port is none of the usual ones, so a policy of the operator permits it. A host beyond is named in
 * the result. The registries are on the loopback of the host, so the calls have sandboxes of their
 * own: in that of a session, 127.0.0.1 is the session.
 */
public class RegistryTasksIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static UnprivilegedGateway gateway;
    private static Registry registry;
    private static AgentTaskRunner runner;

    @BeforeClass
    public static void start() throws Exception {
        gateway = UnprivilegedGateway.install();
        registry = Registry.start(Files.createDirectory(gateway.folder().resolve("registry")));
        runner = new AgentTaskRunner(gateway);
        gateway.up(
                "--set",
                UnprivilegedGateway.LET_THE_TEST_IN,
                "--set",
                "palyra.sandbox:allowedHosts=" + registry.place(),
                "--set",
                "palyra.sandbox.egress:allowPrivateRanges=127.0.0.0/8");
        Path policies = Files.createDirectory(gateway.folder().resolve("policies"));
        Files.writeString(
                policies.resolve("registry.cedar"),
                """
                @id("calls_reach_the_registry")
                permit (
                  principal in Group::"operator",
                  action == Action::"network.connect",
                  resource == Host::"127.0.0.1"
                )
                when { context has call && context has port && context.port == %d };
                """
                        .formatted(registry.port()));
        gateway.run("policy", "apply", policies.toString()).ok();
        Wait.until(
                "tier C to be proven",
                PATIENCE,
                () -> gateway.run("sandbox", "run", "--tier", "c", "--", "true").exit() == 0,
                () -> "");
    }

    @AfterClass
    public static void stop() throws Exception {
        gateway.close();
        registry.close();
    }

    /** Only what is where sandboxes look for programs can run in one. */
    private static void needs(String program) {
        assumeTrue(
                program + " is not installed in /usr",
                List.of("/usr/local/bin", "/usr/bin").stream()
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program))));
    }

    /** Returns the input of a shell line with a sandbox of its own. */
    private static String own(String line) {
        return "{'command':'" + line + "','session':false,'timeout_ms':300000}";
    }

    private static void asked(String path) {
        assertTrue(path + " in " + registry.asked(), registry.asked().contains(path));
    }

    @Test
    public void npmInstallsAPackage() throws Exception {
        needs("npm");
        runner.all(
                List.of(
                        AgentTask.task("npm-install")
                                .call(
                                        "palyra.fs.write_file",
                                        "{'path':'t.js','content':'console.log(require(`tiny`))'}")
                                .call(
                                        "palyra.process.shell",
                                        own(
                                                "npm install --registry "
                                                        + registry.url()
                                                        + "/npm --no-audit --no-fund tiny 2>&1 &&"
                                                        + " node t.js"))
                                .tells("tiny of npm", "\"exit_code\":0")),
                "coding",
                "C");
        asked("/npm/tiny/-/tiny-1.0.0.tgz");
    }

    @Test
    public void mavenResolvesAParentAndAnExtension() throws Exception {
        needs("mvn");
        String pom =
                "<project><modelVersion>4.0.0</modelVersion><parent><groupId>test</groupId>"
                        + "<artifactId>parent</artifactId><version>1</version><relativePath/></parent>"
                        + "<artifactId>own</artifactId><packaging>pom</packaging><build><extensions>"
                        + "<extension><groupId>test</groupId><artifactId>tiny</artifactId>"
                        + "<version>1</version></extension></extensions></build></project>";
        String settings =
                "<settings><mirrors><mirror><id>own</id><mirrorOf>*</mirrorOf><url>"
                        + registry.url()
                        + "/maven</url></mirror></mirrors></settings>";
        runner.all(
                List.of(
                        AgentTask.task("maven-resolves")
                                .call(
                                        "palyra.fs.write_file",
                                        "{'path':'pom.xml','content':'" + pom + "'}")
                                .call(
                                        "palyra.fs.write_file",
                                        "{'path':'settings.xml','content':'" + settings + "'}")
                                .call(
                                        "palyra.process.shell",
                                        own(
                                                "mvn -B -s settings.xml -Dmaven.repo.local=$PWD/m2"
                                                        + " validate && head -c 2"
                                                        + " m2/test/tiny/1/tiny-1.jar"))
                                .tells("BUILD SUCCESS", "\"exit_code\":0", "PK")),
                "coding",
                "C");
        asked("/maven/test/parent/1/parent-1.pom");
        asked("/maven/test/tiny/1/tiny-1.jar");
    }

    @Test
    public void pipInstallsAPackage() throws Exception {
        assumeTrue(
                "pip is not installed for /usr/bin/python3",
                Files.isDirectory(Path.of("/usr/lib/python3/dist-packages/pip")));
        runner.all(
                List.of(
                        AgentTask.task("pip-install")
                                .call(
                                        "palyra.process.shell",
                                        own(
                                                "/usr/bin/python3 -m pip install -q --no-cache-dir"
                                                        + " --disable-pip-version-check --target"
                                                        + " lib --index-url "
                                                        + registry.url()
                                                        + "/simple tiny && cat lib/tiny.py"))
                                .tells("tiny of python", "\"exit_code\":0")),
                "coding",
                "C");
        asked("/simple/tiny/tiny-1.0-py3-none-any.whl");
    }

    @Test
    public void aHostBeyondIsNamedInTheResult() throws Exception {
        needs("curl");
        runner.all(
                List.of(
                        AgentTask.task("blocked")
                                .call(
                                        "palyra.process.shell",
                                        own("curl -sS http://registry.example/x"))
                                .tells("registry.example:80 is blocked by the egress policy")),
                "coding",
                "C");
    }
}
