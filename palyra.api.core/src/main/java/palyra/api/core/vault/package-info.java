/** Secrets at rest, their use, and finding them in text. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("2.0.0")
package palyra.api.core.vault;
