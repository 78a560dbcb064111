/**
 * The few functions and structures of the Windows API that job objects take, for 64-bit Windows.
 * Names as in the SDK. Not run on hardware.
 */
package palyra.sandbox.tierc.windows.internal.win;
