/** Circuits of other programs: dropped on the window they are drawings that run. */
import { violationsInBothThemes } from '../support/axe';
import { dropFile } from '../support/drop-file';
import { takePictures } from '../support/pictures';
import { expect, test } from './fixtures';

const NETLIST = `Doubler
V1 in 0 SIN(0 10 50)
C1 in mid 100u IC=0
D1 0 mid DX
D2 mid out DX
C2 out 0 100u IC=0
R1 out 0 10k
.model DX D(Is=1e-14 N=1.05 Cjo=2p)
.tran 10u 200m uic
.end
`;

test('a netlist of SPICE dropped on the window is a drawing that runs', async ({ workbench }) => {
  const { page } = workbench;
  let gestures = 0;
  await dropFile(page, 'doubler.cir', NETLIST);
  gestures++;
  // What an ideal diode has no place for is said at its line, before anything is opened.
  const issues = page.getByTestId('import-netlist-issues');
  await expect(issues.locator('li')).toHaveCount(1);
  await expect(issues).toContainText('doubler.cir:8');
  await expect(issues).toContainText(/cjo/i);
  expect(await violationsInBothThemes(page, '[role="dialog"]')).toEqual([]);
  await page.getByTestId('import-netlist-go').click();
  gestures++;
  await expect(page.getByTestId('document-title')).toContainText('Doubler');
  await workbench.openGraph();
  for (const id of ['V1', 'C1', 'D1', 'D2', 'C2', 'R1'])
    await expect(page.getByTestId(`graph-node-${id}`)).toBeVisible();
  await expect(page.getByTestId('wire-label-out')).toBeVisible();
  await workbench.runToEnd();
  gestures += 2;
  // Twice the amplitude, less what the load takes.
  const { y } = await workbench.settledCurve('voltages', 'out.v', 0.2);
  expect(Math.max(...y)).toBeGreaterThan(19);
  expect(Math.max(...y)).toBeLessThan(20);
  expect(gestures).toBeLessThanOrEqual(4);
  await takePictures(page, 'netlist');
});

/** Turned, mirrored and upright symbols; its diode is in a library. */
const SCHEMATIC = `Version 4
SHEET 1 880 680
WIRE 192 96 96 96
WIRE 288 96 256 96
WIRE 400 96 368 96
WIRE 496 96 400 96
WIRE 96 128 96 96
WIRE 400 128 400 96
WIRE 496 128 496 96
WIRE 96 240 96 208
WIRE 400 240 400 192
WIRE 496 240 496 208
FLAG 96 240 0
FLAG 400 240 0
FLAG 496 240 0
FLAG 496 96 out
SYMBOL voltage 96 112 R0
SYMATTR InstName V1
SYMATTR Value SINE(0 10 50)
SYMBOL diode 192 112 R270
SYMATTR InstName D1
SYMATTR Value 1N4148
SYMBOL ind 384 80 R90
SYMATTR InstName L1
SYMATTR Value 1m
SYMBOL cap 416 128 M0
SYMATTR InstName C1
SYMATTR Value 100\u00b5
SYMBOL res 480 112 R0
SYMATTR InstName R1
SYMATTR Value 1k
TEXT 96 288 Left 2 !.tran 0 100m 0 10u uic
TEXT 96 312 Left 2 !.include diodes.lib
`;

test('a schematic of LTspice keeps its places, and asks for the library that it includes', async ({
  workbench,
}) => {
  const { page } = workbench;
  let gestures = 0;
  await dropFile(page, 'rectifier.asc', SCHEMATIC);
  gestures++;
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('diodes.lib');
  await expect(page.getByTestId('import-netlist-go')).toBeDisabled();
  const choosing = page.waitForEvent('filechooser');
  await dialog.locator('.wanted button').click();
  await (
    await choosing
  ).setFiles({
    name: 'diodes.lib',
    mimeType: 'text/plain',
    buffer: Buffer.from('.model 1N4148 D(Is=2.52n Rs=.568)\n'),
  });
  gestures += 2;
  await expect(dialog.locator('.wanted')).toHaveCount(0);
  await expect(page.getByTestId('import-netlist-issues')).toContainText('diodes.lib:1');
  await page.getByTestId('import-netlist-go').click();
  gestures++;
  await expect(page.getByTestId('document-title')).toContainText('rectifier');
  await workbench.openGraph();
  await expect(page.getByTestId('graph-node-C1')).toBeVisible();
  // Distances between pins and the lines of wires are those of the schematic, 1.25 times.
  const at = async (end: string): Promise<{ x: number; y: number }> => {
    const { x, y, width, height } = (await page.getByTestId(`pin-${end}`).boundingBox())!;
    return { x: x + width / 2, y: y + height / 2 };
  };
  const [anode, cathode] = [await at('D1.a'), await at('D1.k')];
  const zoom = (cathode.x - anode.x) / 80;
  expect(cathode.y).toBeCloseTo(anode.y, 0);
  const [source, load, top] = [await at('V1.p'), await at('R1.a'), await at('C1.a')];
  expect((load.x - source.x) / zoom).toBeCloseTo(1.25 * 400, 0);
  expect((top.x - source.x) / zoom).toBeCloseTo(1.25 * 304, 0);
  expect((await at('C1.b')).y).toBeGreaterThan(top.y);
  const [first, second] = [await at('L1.a'), await at('L1.b')];
  expect(first.x).toBeGreaterThan(second.x);
  await expect(page.getByTestId('wire-out').locator('.line').first()).toHaveAttribute('d', /^M[\d ]+120L/);
  await workbench.runToEnd();
  gestures += 2;
  const { y } = await workbench.settledCurve('voltages', 'out.v', 0.1);
  expect(Math.max(...y)).toBeGreaterThan(9.5);
  expect(gestures).toBeLessThanOrEqual(6);
  await takePictures(page, 'schematic');
});
