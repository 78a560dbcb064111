/** Errors and other values that every package of the api uses. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.2.0")
package palyra.api;
