package palyra.policy.internal.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import palyra.api.core.policy.Policies.PolicyText;
import palyra.api.core.policy.PolicyProblem;
import palyra.policy.internal.set.Snapshot;

class CaseRunnerTest {
    private static final Snapshot SET =
            Sets.of(
                    """
                    @id("git")
                    permit (principal in Group::"dev", action == Action::"tool.execute", resource)
                    when {
                      resource.name == "acme.shell" &&
                      resource.capabilities.contains("process_exec") &&
                      context.facts has executable && context.facts.executable == "/usr/bin/git" &&
                      context.facts.flags.contains("--force") == false &&
                      context.facts.ports.contains(22) &&
                      context has channel && context.channel has trust &&
                      context.channel.trust == "high" && context.channel.kind == "discord" &&
                      context has device && context.device == Device::"device:phone" &&
                      context.budget.left == 2 && context.budget.max == 9 &&
                      context.agent.id == "helper" && context.session.id == "s" &&
                      context.run.id == "r"
                    };
                    @id("owner")
                    permit (principal, action == Action::"run.read", resource is Run)
                    when { resource has owner && resource.owner == principal.id };
                    @id("service")
                    permit (principal is Service, action == Action::"run.start", resource)
                    when {
                      context.credential.scopes.contains("run.start") && context has surface &&
                      context.surface == "discord"
                    };
                    """);

    private static CaseRunner.Results run(String json) {
        return new CaseRunner().run(SET, Sets.cases(json));
    }

    private static List<String> messages(String json) {
        return run(json).problems().stream().map(PolicyProblem::message).toList();
    }

    @Test
    void everyFieldReachesThePolicies() {
        assertEquals(
                List.of(),
                messages(
                        """
                        [
                          {
                            "name": "all of it",
                            "principal": {"type": "User", "id": "user:ann", "groups": ["dev"]},
                            "action": "tool.execute",
                            "resource": {
                              "type": "Tool", "id": "acme.shell",
                              "capabilities": ["process_exec"], "readOnly": true
                            },
                            "context": {
                              "agent": {"id": "helper", "test": true},
                              "session": "s", "run": "r",
                              "channel": {"id": "discord:42", "trust": "high"},
                              "device": "phone",
                              "budget": {"left": 2, "max": 9},
                              "spend": {"percent": 12},
                              "facts": {
                                "executable": "/usr/bin/git", "flags": ["-q"], "ports": [22]
                              }
                            },
                            "expect": "allow",
                            "policies": ["git"]
                          },
                          {
                            "principal": {"id": "service:bot"},
                            "action": "run.start",
                            "context": {
                              "credential": {"scopes": ["run.start"]}, "surface": "discord",
                              "spend": {"tokens": 9, "cost_micros": 9, "calls": 1, "percent": 81}
                            },
                            "expect": "allow"
                          },
                          {
                            "principal": "user:ann",
                            "action": "run.read",
                            "resource": {"id": "run:1", "owner": "user:ann"},
                            "expect": "allow",
                            "policies": ["owner"]
                          },
                          {
                            "principal": "user:ann",
                            "action": "run.read",
                            "resource": {"type": "Command", "id": "runs", "owner": "user:ann"},
                            "expect": "deny",
                            "policies": []
                          }
                        ]
                        """));
    }

    @Test
    void aCaseThatDoesNotHoldIsAnErrorAtItsPlace() {
        CaseRunner.Results results =
                run(
                        """
                        [
                          {"principal": "user:a", "action": "run.list", "expect": "deny"},
                          {
                            "name": "mine",
                            "principal": "user:a", "action": "run.list", "expect": "allow"
                          }
                        ]
                        """);

        assertEquals(2, results.run());
        assertEquals(
                List.of(true, false), results.results().stream().map(r -> r.passed()).toList());
        assertEquals(List.of("#1", "mine"), results.results().stream().map(r -> r.name()).toList());
        PolicyProblem problem = results.problems().get(0);
        assertTrue(problem.error());
        assertEquals("test.cases.json", problem.file());
        assertEquals(3, problem.line());
        assertEquals(3, problem.column());
        assertTrue(
                problem.message()
                        .startsWith(
                                "The case \"mine\" does not hold: expected allow,"
                                        + " found deny (policy.not_permitted)."),
                problem.message());
    }

    @Test
    void theDeterminingPoliciesMustBeExactlyThose() {
        List<String> messages =
                messages(
                        """
                        [{"principal": "user:ann", "action": "run.read",
                          "resource": {"id": "run:1", "owner": "user:ann"},
                          "expect": "allow", "policies": ["owner", "git"]}]
                        """);

        assertEquals(1, messages.size());
        assertTrue(
                messages.get(0).contains("expected allow by git, owner, found allow by owner"),
                messages.get(0));
    }

    @Test
    void anApprovalIsExpectedAsAsk() {
        CaseRunner.Results results =
                new CaseRunner()
                        .run(
                                Sets.shipped(),
                                Sets.cases(
                                        """
                                        [{"principal": {"id": "user:a", "groups": ["operator"]},
                                          "action": "tool.execute",
                                          "resource": {"id": "x", "capabilities": ["network"]},
                                          "expect": "ask"}]
                                        """));

        assertEquals(List.of(), results.problems());
        assertEquals("ask", results.results().get(0).found());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}|case #1: \"principal\" is missing",
                "[]|an object, in braces",
                "{\"principal\":\"user:a\"}|\"action\" is missing",
                "{\"principal\":\"user:a\",\"action\":\"run.read\"}|\"expect\" is missing",
                "{\"principal\":\"user:a\",\"action\":\"run.read\",\"expect\":\"maybe\"}|use allow, deny or ask",
                "{\"name\":\"n\",\"principle\":\"user:a\"}|case \"n\": the key \"principle\" is not known here; did you mean \"principal\"?",
                "{\"principal\":{\"id\":\"user:a\",\"group\":[]},\"action\":\"run.read\",\"expect\":\"deny\"}|case #1, principal: the key \"group\" is not known here; did you mean \"groups\"?",
                "{\"principal\":{\"id\":\"user:a\",\"type\":\"Robot\"},\"action\":\"run.read\",\"expect\":\"deny\"}|not one of User, Device",
                "{\"principal\":\"us er\",\"action\":\"run.read\",\"expect\":\"deny\"}|not usable",
                "{\"principal\":\"user:a\",\"action\":\"Run\",\"expect\":\"deny\"}|not usable",
                "{\"principal\":\"user:a\",\"action\":\"run.read\",\"context\":{\"facts\":{}},\"expect\":\"deny\"}|case #1, context: the key \"facts\"",
                "{\"principal\":\"user:a\",\"action\":\"run.read\",\"resource\":{\"type\":\"Skill\",\"id\":\"s\"},\"expect\":\"deny\"}|never about a Skill",
                "{\"principal\":\"user:a\",\"action\":\"tool.execute\",\"expect\":\"deny\"}|\"id\" is missing",
                "{\"principal\":\"user:a\",\"action\":\"tool.execute\",\"resource\":{\"id\":\"t\",\"capabilities\":[\"fly\"]},\"expect\":\"deny\"}|no capability \"fly\"",
                "{\"principal\":\"user:a\",\"action\":\"tool.execute\",\"resource\":\"t\",\"context\":{\"facts\":{\"host\":[]}},\"expect\":\"deny\"}|case #1, context, facts: the key \"host\" is not known here; did you mean \"hosts\"?",
                "{\"principal\":\"user:a\",\"action\":\"tool.execute\",\"resource\":\"t\",\"context\":{\"facts\":{\"hosts\":\"h\"}},\"expect\":\"deny\"}|not a list",
                "{\"principal\":\"user:a\",\"action\":\"tool.execute\",\"resource\":\"t\",\"context\":{\"budget\":{\"left\":1.5}},\"expect\":\"deny\"}|not a whole number",
                "{\"principal\":\"user:a\",\"action\":\"tool.execute\",\"resource\":\"t\",\"context\":{\"budget\":{\"left\":50}},\"expect\":\"deny\"}|50 calls are left of 16",
                "{\"principal\":\"user:a\",\"action\":\"tool.execute\",\"resource\":\"t\",\"context\":{\"approval\":true},\"expect\":\"deny\"}|case #1, context, approval: an object",
                "{\"principal\":\"user:a\",\"action\":\"tool.execute\",\"resource\":\"t\",\"context\":{\"allow_sensitive_tools\":\"true\"},\"expect\":\"deny\"}|neither true nor false",
                "{\"principal\":{\"id\":\"user:a\",\"type\":\"Service\"},\"action\":\"tool.execute\",\"resource\":\"t\",\"expect\":\"deny\"}|by name only"
            })
    void whatCannotBeReadIsSaidWithItsPlace(String json, String message) {
        CaseRunner.Results results = run("[\n" + json + "]");

        assertEquals(0, results.run());
        assertEquals(1, results.problems().size());
        assertEquals(2, results.problems().get(0).line());
        assertTrue(
                results.problems().get(0).message().contains(message),
                results.problems().get(0).message());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "|empty",
                "{}|a list, in brackets",
                "[{\"a\":1,\"a\":2}]|Duplicate",
                "[1,]|not acceptable JSON",
                "[] []|not acceptable JSON"
            })
    void aFileThatIsNoListIsAnError(String json, String message) {
        List<String> messages = messages(json == null ? "" : json);

        assertEquals(1, messages.size());
        assertTrue(messages.get(0).contains(message), messages.get(0));
    }

    @Test
    void theLineOfASyntaxErrorIsGiven() {
        assertEquals(3, run("[\n  {},\n  {\"a\" 1}\n]").problems().get(0).line());
    }

    @Test
    void otherFilesArePassedOver() {
        CaseRunner.Results results =
                new CaseRunner()
                        .run(SET, List.of(new PolicyText("own.cedar", "permit"), file("[]")));

        assertEquals(0, results.run());
        assertEquals(List.of(), results.problems());
    }

    private static PolicyText file(String json) {
        return Sets.cases(json).get(0);
    }
}
