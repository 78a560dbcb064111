/**
 * Servers on loopback that misbehave as told, a base for fakes of whole services, and a way out
 * that reaches them, also by WebSockets.
 */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.3.0")
package palyra.testing.http;
