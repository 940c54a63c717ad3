/** The programs become part of the bundle, so that the installed one needs no file beside it. */
declare module '*.py?raw' {
  const text: string;
  export default text;
}
declare module '*.ode?raw' {
  const text: string;
  export default text;
}
