import * as echarts from 'echarts';
import type { Axis, BarPlot, LinePlot, Plot } from '../lib/suite.ts';

/*
 * Drawn without a background in colours of a middle tone, which can be read on a white page and on a dark one: a
 * picture on a page of the repository does not learn which of the two it is on.
 */
const ink = '#6e7781';
const grid = '#8c959f55';
const ours = '#2f81f7';
const peer = '#8c959f';
const others = ['#bc8c00', '#2da44e', '#bf5af2', '#cf5a3c', '#1b9aaa', '#8c959f'];
const font = 'system-ui, sans-serif';
const width = 820;

export function drawPlot(plot: Plot): string {
  const height = plot.kind === 'bars' ? 90 + plot.bars.length * 34 : 380;
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({
      animation: false,
      textStyle: { fontFamily: font, color: ink },
      title: { text: plot.title, left: 8, top: 6, textStyle: { color: ink, fontSize: 15, fontFamily: font } },
      ...(plot.kind === 'bars' ? barOptions(plot) : lineOptions(plot)),
    });
    return `${chart.renderToSVGString()}\n`;
  } finally {
    chart.dispose();
  }
}

/** One bar each, the first on top, with a line from the lowest round to the highest. */
function barOptions({ unit, bars }: BarPlot): echarts.EChartsCoreOption {
  return {
    grid: { left: gutter(bars.map(({ label }) => label)), right: 70, top: 44, bottom: 46 },
    xAxis: { ...valueAxis({ label: unit }), nameLocation: 'middle', nameGap: 26 },
    yAxis: {
      type: 'category',
      inverse: true,
      data: bars.map(({ label }) => label),
      axisLabel: { color: ink, fontSize: 13 },
      axisLine: { lineStyle: { color: ink } },
      axisTick: { show: false },
    },
    series: [
      {
        type: 'bar',
        barWidth: 18,
        data: bars.map((one) => ({ value: one.value, itemStyle: { color: one.ours ? ours : peer } })),
      },
      {
        type: 'custom',
        z: 3,
        data: bars.map(({ low, high }, index) => [low, high, index]),
        renderItem: drawSpread,
      },
      {
        // The number stands behind the spread, so that the line does not cross it.
        type: 'scatter',
        symbolSize: 0,
        itemStyle: { opacity: 1 },
        data: bars.map(({ high }, index) => [high, index]),
        label: {
          show: true,
          position: 'right',
          distance: 8,
          color: ink,
          fontSize: 13,
          formatter: ({ dataIndex }: { dataIndex: number }) => shortNumber(bars[dataIndex]?.value ?? 0),
        },
      },
    ],
  };
}

/** Room for the longest label: without a browser ECharts takes letters for narrower than they are. */
const gutter = (labels: string[]): number => 24 + 7.4 * Math.max(0, ...labels.map(({ length }) => length));

function drawSpread(
  _: unknown,
  api: echarts.CustomSeriesRenderItemAPI,
): echarts.CustomSeriesRenderItemReturn {
  const [lowX = 0, y = 0] = api.coord([api.value(0), api.value(2)]);
  const [highX = 0] = api.coord([api.value(1), api.value(2)]);
  const line = (x1: number, y1: number, x2: number, y2: number) => ({
    type: 'line' as const,
    shape: { x1, y1, x2, y2 },
    style: { stroke: ink, lineWidth: 2 },
  });
  return {
    type: 'group',
    children: [line(lowX, y, highX, y), line(lowX, y - 5, lowX, y + 5), line(highX, y - 5, highX, y + 5)],
  };
}

function lineOptions({ x, y, lines }: LinePlot): echarts.EChartsCoreOption {
  return {
    color: lines.map((line, index) => (line.ours ? ours : (others[index % others.length] ?? peer))),
    legend: { top: 34, left: 8, textStyle: { color: ink, fontSize: 13 }, icon: 'roundRect' },
    grid: { left: 12, right: 24, top: 84, bottom: 34, containLabel: true },
    xAxis: { ...valueAxis(x), nameLocation: 'middle', nameGap: 26 },
    yAxis: { ...valueAxis(y), nameLocation: 'end', nameTextStyle: { color: ink, align: 'left' } },
    series: lines.map(({ label, points, ours: isOurs }) => ({
      type: 'line',
      name: label,
      data: points,
      symbol: 'circle',
      symbolSize: 6,
      lineStyle: { width: isOurs ? 3 : 2 },
      z: isOurs ? 3 : 2,
    })),
  };
}

const valueAxis = ({ label, log }: Axis) => ({
  type: log ? ('log' as const) : ('value' as const),
  name: label,
  nameTextStyle: { color: ink },
  axisLabel: { color: ink, formatter: shortNumber },
  axisLine: { lineStyle: { color: ink } },
  splitLine: { lineStyle: { color: grid } },
});

function shortNumber(value: number): string {
  if (Math.abs(value) >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (Math.abs(value) >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return Number(value.toPrecision(3)).toLocaleString('en-US');
}
