/**
 * Discord's REST interface and gateway, version 10, on loopback: for tests of bots and of whole
 * gateways. What is asked and answered is held against Discord's own OpenAPI document.
 */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.1.0")
package palyra.testing.discord;
