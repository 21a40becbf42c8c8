/**
 * Run4U without a program: the shipped potential relaxes a crystal that the catalogue lacks, compares it with known
 * phases and predicts its phonons and elastic tensor, within seconds.
 */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { openSite } from './support/open-site.ts';
import { tokenFor } from './support/sign-in.ts';

/** A cubic perovskite, compressed. */
const POSCAR = `perovskite
6.0
1 0 0
0 1 0
0 0 1
Cs Sn I
1 1 3
Direct
0 0 0
0.5 0.5 0.5
0.5 0.5 0
0.5 0 0.5
0 0.5 0.5
`;

const { site, browser } = await openSite({ env: { RUN4U_ENGINE: 'built-in', RUN4U_SLOTS: '1' } });

it.each(
  oneUnlessNightly([
    [
      'en',
      '13900000087',
      {
        notice: 'predicted by an interatomic potential',
        method: 'machine-learned interatomic potential',
        uploaded: 'Your structure has been uploaded successfully!',
        relax: 'Relax here',
        start: 'Start',
        relaxed: /^Relaxed in \d+ steps/,
        submit: 'Submit',
        finished: 'finished',
        details: 'Details',
        phonons: 'Phonons',
        elastic: 'Elastic tensor',
        imaginary: 'Imaginary modes',
        wave: 'Wave vector',
        softWave: /^[MR] \(.*\): \d+ imaginary$/,
        mode: 'Mode',
        softMode: /^1: \d\.\d\di THz \(imaginary\)$/,
        play: 'Animate',
        pause: 'Stop',
        bands: /Phonon bands along Γ/,
        left: '49 of 50 predictions left today',
        hull: 'Stability, predicted',
        result: 'Predicted result',
        kept: 'This result stays with the submission',
        warning: 'not calculated from first principles',
        download: 'Download CIF',
        replay: 'Play the relaxation',
        step: /^Step \d+$/,
      },
    ],
    [
      'zh',
      '13900000088',
      {
        notice: '由原子间势在数秒内预测',
        method: '机器学习原子间势',
        uploaded: '结构上传成功！',
        relax: '在此弛豫',
        start: '开始',
        relaxed: /^弛豫完成，共 \d+ 步/,
        submit: '提交',
        finished: '已完成',
        details: '详情',
        phonons: '声子',
        elastic: '弹性张量',
        imaginary: '存在虚频',
        wave: '波矢',
        softWave: /^[MR] \(.*\)：\d+ 个虚频$/,
        mode: '模式',
        softMode: /^1：\d\.\d\di THz（虚频）$/,
        play: '播放动画',
        pause: '停止',
        bands: /沿 Γ.*的声子谱/,
        left: '今日还可预测 49 / 50 次',
        hull: '在凸包中的位置（预测）',
        result: '预测结果',
        kept: '该结果只随本次提交保存',
        warning: '并非第一性原理计算',
        download: '下载 CIF',
        replay: '播放弛豫过程',
        step: /^第 \d+ 步$/,
      },
    ],
  ]),
)('a perovskite is relaxed and its energy predicted, in %s', async (language, mobile, texts) => {
  const { page, complaints } = await newVisitor(browser, { language, token: await tokenFor(site, mobile) });
  await page.goto(`${site.url}/run4u`);
  await page.getByText(texts.notice).waitFor();
  await page.getByText('sudo apt install abinit').waitFor();
  await page.getByText(texts.method).waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'POSCAR', mimeType: 'text/plain', buffer: Buffer.from(POSCAR) });
  await page.getByText(texts.uploaded).waitFor();
  // Relaxes the crystal in the browser, without a submission.
  await page.getByRole('button', { name: texts.relax }).click();
  await page.getByRole('button', { name: texts.start, exact: true }).click();
  await page.getByText(texts.relaxed).waitFor();
  await page.getByRole('checkbox', { name: texts.phonons }).check();
  await page.getByRole('checkbox', { name: texts.elastic }).check();
  await page.getByRole('button', { name: texts.submit, exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: texts.finished });
  await row.getByRole('button', { name: texts.details }).click();
  const facts = page.getByRole('table', { name: texts.result });
  // The energy predicted by the potential. A wrong unit or cell would give a very different number.
  await facts.getByText(/2\.826/).waitFor();
  await page.getByText(texts.kept).waitFor();
  await page.getByText(texts.left).waitFor();
  // The cubic perovskite is unstable against tilts of its octahedra.
  await page.getByText(texts.imaginary).waitFor();
  await page.getByRole('img', { name: texts.bands }).waitFor();
  // The wave vector with the lowest (imaginary) frequency is selected first. Its mode moves the atoms.
  const phonons = page.getByRole('region', { name: texts.phonons, exact: true });
  const shown = (name: string) =>
    phonons.getByLabel(name, { exact: true }).locator('option:checked').innerText();
  await expect.poll(() => shown(texts.mode)).toMatch(texts.softMode);
  expect(await shown(texts.wave)).toMatch(texts.softWave);
  const crystal = phonons.getByRole('img', { name: /CsSnI/ }).last();
  const before = await crystal.screenshot();
  await phonons.getByRole('button', { name: texts.play }).click();
  await expect.poll(async () => (await crystal.screenshot()).equals(before)).toBe(false);
  await phonons.getByRole('button', { name: texts.pause }).click();
  await page.getByRole('region', { name: texts.elastic }).getByRole('rowheader', { name: 'xx' }).waitFor();
  await page.getByRole('table', { name: texts.hull }).getByText(/meV/).waitFor();
  await page.getByText(texts.warning).last().waitFor();
  const replay = page.getByRole('button', { name: texts.replay });
  await replay.click();
  await page.getByText(texts.step).waitFor();
  // The drawing returns to the relaxed cell.
  await replay.waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: texts.download }).click(),
  ]);
  const cif = await readFile(await download.path(), 'utf8');
  const edge = Number(/_cell_length_a\s+([\d.]+)/.exec(cif)?.[1]);
  expect(edge).toBeGreaterThan(6.1);
  expect(edge).toBeLessThan(6.5);
  expect(complaints).toEqual([]);
});
